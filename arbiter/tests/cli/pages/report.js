const sizes = [...document.querySelectorAll('svg.chart')].map(chart => chart.getBoundingClientRect());
const charts = sizes.filter(size => size.width > 100 && size.height > 50).length;
const { scrollWidth, clientWidth } = document.documentElement;
let moved = false;
if (document.querySelector('#games')) {
    location.hash = '#game-2';
    await pause(500);
    const before = document.querySelector('#games').innerHTML;
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    await pause(500);
    moved = document.querySelector('#games').innerHTML !== before;
}
const list = document.querySelector('nav ul');
const cut_off = list.scrollWidth - list.clientWidth;
return { charts, sticks_out: scrollWidth - clientWidth, cut_off, moved, troubles };
