const asked = [];
const answers = {};
let show;
class EventSource {
  constructor() { show = state => this.onmessage({ data: JSON.stringify(state) }); setTimeout(() => show(window.state), 0); }
}
window.fetch = async (path, request) => {
  asked.push(request ? JSON.parse(request.body).line : path);
  return { ok: true, json: async () => answers[path] || { answer: [] }, text: async () => '' };
};
