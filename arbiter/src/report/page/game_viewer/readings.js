// What the engines told, as people read it. A score is a number of centipawns or a mate such as `M3` or `-M4`, and
// always seen by White.

/** The score of the other side. */
function opposite(score) {
  if (typeof score === "number") return -score;
  return score.startsWith("-") ? score.slice(1) : `-${score}`;
}

function scoreText(score) {
  if (score === null) return "–";
  if (typeof score !== "number") return score.startsWith("-") ? `−${score.slice(1)}` : `+${score}`;
  const sign = score > 0 ? "+" : score < 0 ? "−" : "";
  return `${sign}${(Math.abs(score) / 100).toFixed(2)}`;
}

/**
 * Where a score stands between −1 and 1: nearly linear around zero, where games are decided, and closer and closer
 * together beyond; a mate is at the edge.
 */
function height(score) {
  if (typeof score !== "number") return score.startsWith("-") ? -1 : 1;
  return 0.97 * Math.tanh(score / 450);
}

function timeText(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 0) return `−${timeText(-seconds)}`;
  if (seconds < 0.0001) return "< 0.1 ms";
  if (seconds < 0.1) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 60) return `${seconds.toFixed(2)} s`;
  return clockText(seconds);
}

/** `1:23.4`, or `2:05:09` from an hour on. */
function clockText(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const sign = seconds < 0 ? "−" : "";
  const tenths = Math.floor(Math.abs(seconds) * 10);
  const [hours, minutes, rest] = [Math.floor(tenths / 36000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10];
  const two = (number) => String(number).padStart(2, "0");
  if (hours > 0) return `${sign}${hours}:${two(minutes)}:${two(Math.floor(rest))}`;
  return `${sign}${minutes}:${rest.toFixed(1).padStart(4, "0")}`;
}

const countText = (count) => (count === null ? "–" : count.toLocaleString("en"));

/** Nodes a second, where there was enough time to speak of a speed. */
function speedText({ nodes, seconds }) {
  if (nodes === null || seconds === null || seconds < 0.001) return "–";
  const speed = nodes / seconds;
  if (speed >= 1e6) return `${(speed / 1e6).toFixed(2)} M/s`;
  return speed >= 1e3 ? `${Math.round(speed / 1e3)} k/s` : `${Math.round(speed)}/s`;
}
