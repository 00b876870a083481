const fen_shown = () => document.querySelector('#games .board').dataset.fen;
const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
const games = [];
for (let number = 1; number <= COUNT; number += 1) {
    location.hash = `#game-${number}`;
    await pause(300);
    const positions = [];
    let fen;
    do {
        fen = fen_shown();
        const button = document.querySelector('.gv-moves [aria-current] ');
        positions.push([button ? button.firstChild.textContent : '', fen]);
        press('ArrowLeft');
    } while (fen_shown() !== fen);
    games.push(positions.reverse());
}
return { games, troubles };
