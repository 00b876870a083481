"""Prints the dependencies of the programs as CycloneDX 1.5: each package with version, licence, source and checksum.

Usage: verify/sbom.py, from the root of the repository. Covers what `cargo install --path .` compiles on any system, and
leaves out dependencies of tests and benches.
"""

import json
import subprocess
import tomllib

ROOT = "chess-arbiter"


def packages_of(metadata):
    """The packages that the root needs, by id, each with the ids of its own dependencies."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    found, waiting = {}, [next(p["id"] for p in metadata["packages"] if p["name"] == ROOT)]
    while waiting:
        package = waiting.pop()
        if package not in found:
            needed = nodes[package]["deps"]
            found[package] = sorted(d["pkg"] for d in needed if any(k["kind"] != "dev" for k in d["dep_kinds"]))
            waiting += found[package]
    return found


def component(package, checksums):
    name, version, licence = package["name"], package["version"], package["license"].replace("/", " OR ")
    purl = f"pkg:cargo/{name}@{version}"
    entry = {"type": "library", "bom-ref": purl, "name": name, "version": version}
    entry["licenses"] = [{"expression": " ".join(licence.split())}]
    if package["source"]:
        entry["purl"] = purl
        entry["hashes"] = [{"alg": "SHA-256", "content": checksums[name, version]}]
    return entry


def main():
    asked = ["cargo", "metadata", "--format-version", "1", "--locked"]
    metadata = json.loads(subprocess.run(asked, check=True, capture_output=True).stdout)
    with open("Cargo.lock", "rb") as file:
        checksums = {(p["name"], p["version"]): p.get("checksum") for p in tomllib.load(file)["package"]}
    needed = packages_of(metadata)
    components = {p["id"]: component(p, checksums) for p in metadata["packages"] if p["id"] in needed}
    refs = {package: entry["bom-ref"] for package, entry in components.items()}
    root = next(entry for entry in components.values() if entry["name"] == ROOT)
    listed = sorted((entry for entry in components.values() if entry is not root), key=lambda entry: entry["bom-ref"])
    graph = [{"ref": refs[package], "dependsOn": [refs[d] for d in deps]} for package, deps in needed.items()]
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**root, "type": "application"}},
        "components": listed,
        "dependencies": sorted(graph, key=lambda entry: entry["ref"]),
    }
    print(json.dumps(bom, indent=1))


main()
