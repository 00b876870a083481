await pause(50);
const board = document.querySelector('.board');
const at = square => {
    const box = board.getBoundingClientRect();
    const [file, rank] = ['abcdefgh'.indexOf(square[0]), 8 - Number(square[1])];
    const [clientX, clientY] = [box.left + (file + .5) * box.width / 8, box.top + (rank + .5) * box.height / 8];
    return { clientX, clientY, pointerId: 1, button: 0, bubbles: true };
};
board.setPointerCapture = () => {};
const point = (kind, square) => board.dispatchEvent(new PointerEvent(kind, at(square)));
const press = key => board.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
const pieces = board.querySelectorAll('use').length;
const notices = [];
// Two clicks, then a drag.
for (const square of ['e2', 'e4']) { point('pointerdown', square); point('pointerup', square); }
point('pointerdown', 'g1'); point('pointermove', 'g2'); point('pointerup', 'f3');
// A square that the piece cannot reach.
point('pointerdown', 'b1'); point('pointerup', 'b1'); point('pointerdown', 'b5'); point('pointerup', 'b5');
// The keyboard, from the square that was touched last.
board.focus();
for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter']) press(key);
// The field.
document.querySelector('#line').value = 'Nc3';
document.querySelector('#typed').requestSubmit();
document.querySelector('[data-line=undo]').click();
await pause(50);
// A promotion asks for the piece.
show({ ...state, fen: '7k/P7/8/8/8/8/8/K7 w - - 0 1', legal: ['a7a8q', 'a7a8r', 'a7a8b', 'a7a8n'] });
for (const square of ['a7', 'a8']) { point('pointerdown', square); point('pointerup', square); }
document.querySelectorAll('#promotion button')[3].click();
// Resigning asks again.
document.querySelector('#resign').click();
notices.push(document.querySelector('#resign').textContent);
document.querySelector('#resign').click();
show({ ...state, outcome: '0-1, White resigns', legal: [], messages: ['0-1, White resigns'] });
notices.push(document.querySelector('#state').textContent);
await pause(50);
const wide = document.documentElement.scrollWidth > innerWidth;
return { asked, notices, pieces, wide, troubles };
