import { cup, disc, leaf, type Point, plate, round, scatter, spoon, type TableTop } from './drawing.ts'

const oak: TableTop = { wood: '#b98a5e', dark: '#6f4a2b' }
const walnut: TableTop = { wood: '#7c5638', dark: '#3f2817' }
const ash: TableTop = { wood: '#d8c4a6', dark: '#9c8460' }
const slate: TableTop = { wood: '#565a5c', dark: '#2d3032' }

const middle: Point = [300, 300]

const bean = ([x, y]: Point, turn: number): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn})"><ellipse cx="4" cy="6" rx="15" ry="10" fill="#000" opacity=".3"/><ellipse rx="15" ry="10" fill="#3b2314"/><ellipse cx="-3" cy="-3" rx="9" ry="5" fill="#6b4226" opacity=".7"/><path d="M-13 0q13 -6 26 0" stroke="#1d0f07" stroke-width="2.5" fill="none"/></g>`

const dust =
  (color: string, size: number) =>
  ([x, y]: Point): string =>
    `<circle cx="${x}" cy="${y}" r="${size}" fill="${color}" opacity=".75"/>`

const flake = ([x, y]: Point, turn: number): string =>
  `<g transform="translate(${x} ${y}) rotate(${turn})"><ellipse cx="2" cy="4" rx="15" ry="8" fill="#5a3512" opacity=".4"/><ellipse rx="15" ry="8" fill="#f3e2bd"/><ellipse rx="11" ry="4" fill="#fdf4dc"/></g>`

const coffee = (id: string): string => round(id, [0, '#7a4a22'], [0.55, '#5a3216'], [0.9, '#3a1d0b'], [1, '#8a5a2b'])
const milk = (id: string): string => round(id, [0, '#d9a873'], [0.6, '#bd8551'], [1, '#8f5a2e'])

/** A croissant as segments along an arc, the largest in the middle. */
function croissant(): string {
  const segments = Array.from({ length: 9 }, (_, index) => {
    const part = index - 4
    const angle = (part * 17 * Math.PI) / 180
    const [x, y] = [300 + Math.sin(angle) * 150, 410 - Math.cos(angle) * 150]
    const size = 98 - Math.abs(part) * 13
    return `<g transform="translate(${x} ${y}) rotate(${part * 17})"><ellipse cx="8" cy="16" rx="${size * 0.52}" ry="${size}" fill="#000" opacity=".28" filter="url(#soft)"/><ellipse rx="${size * 0.52}" ry="${size}" fill="url(#crust)"/><path d="M-${size * 0.3} -${size * 0.75}q${size * 0.16} ${size * 0.75} 0 ${size * 1.5}" stroke="#fbd998" stroke-width="5" stroke-opacity=".6" fill="none"/></g>`
  })
  return `<defs>${round('crust', [0, '#f0b760'], [0.6, '#cf8a33'], [1, '#8c4f16'])}</defs>${segments.join('')}`
}

function nata([x, y]: Point): string {
  const frill = Array.from({ length: 26 }, (_, index) => {
    const angle = (index / 26) * 2 * Math.PI
    return disc([x + Math.cos(angle) * 92, y + Math.sin(angle) * 92], 15, index % 2 ? '#dba35a' : '#c4863c')
  })
  const burnt = scatter(
    [x, y],
    62,
    9,
    x,
    ([cx, cy], turn) =>
      `<ellipse cx="${cx}" cy="${cy}" rx="${9 + turn / 30}" ry="${7 + turn / 50}" fill="#5b2c0c" opacity=".62"/>`,
  )
  return `${disc([x, y], 96, '#b5772f', 14)}${frill.join('')}<defs>${round(`custard${x}`, [0, '#ffdf7a'], [0.7, '#f3b740'], [1, '#c9802a'])}</defs>${disc([x, y], 80, `url(#custard${x})`)}${burnt}`
}

function cinnamonBun(): string {
  const turns = Array.from({ length: 150 }, (_, index) => {
    const angle = index * 0.17
    const radius = 12 + index * 0.92
    return `${300 + Math.cos(angle) * radius} ${300 + Math.sin(angle) * radius}`
  })
  const path = `M${turns.join('L')}`
  return `<defs>${round('dough', [0, '#eebd78'], [0.7, '#d99a4f'], [1, '#9a5f26'])}</defs>${disc(middle, 166, 'url(#dough)', 16)}<path d="${path}" fill="none" stroke="#6b3513" stroke-width="11" stroke-linecap="round"/><path d="${path}" fill="none" stroke="#f7dcae" stroke-width="5" stroke-opacity=".5" transform="translate(-7 -9)"/>${scatter(middle, 130, 90, 7, dust('#fffdf6', 4))}`
}

const toast = (points: string, turn: number): string =>
  `<g transform="rotate(${turn} 300 300)"><polygon points="${points}" fill="#000" opacity=".35" transform="translate(12 18)" filter="url(#soft)"/><polygon points="${points}" fill="#f2c64b" stroke="#f2c64b" stroke-width="26" stroke-linejoin="round"/><polygon points="${points}" fill="url(#toast)" stroke="#7d4a1c" stroke-width="8" stroke-linejoin="round" transform="translate(-5 -8)"/><g stroke="#5c3210" stroke-width="11" stroke-opacity=".6" stroke-linecap="round"><path d="M205 300L300 205M225 330L330 225M255 350L350 255"/></g></g>`

/** The products of the café by the name of their file. */
export const dishes: Readonly<Record<string, { readonly table: TableTop; readonly draw: () => string }>> = {
  espresso: {
    table: walnut,
    draw: () =>
      `${plate(middle, 205)}<defs>${round('drink', [0, '#a5682f'], [0.5, '#7c451b'], [0.85, '#4b260d'], [1, '#b5793c'])}</defs>${cup([292, 292], 112, 'url(#drink)')}<path d="M240 262q50 -36 96 4q-40 -12 -96 -4z" fill="#d79a55" opacity=".55"/>${spoon([438, 372], 24)}`,
  },
  'flat-white': {
    table: oak,
    draw: () =>
      `${plate(middle, 230)}<defs>${milk('drink')}</defs>${cup([294, 294], 150, 'url(#drink)')}<path d="M294 396C214 332 196 262 240 236C270 220 292 246 294 266C296 246 318 220 348 236C392 262 374 332 294 396Z" fill="#fff5e4" opacity=".95"/><path d="M294 366C250 328 232 282 256 266C276 256 292 280 294 296C296 280 312 256 332 266C356 282 338 328 294 366Z" fill="none" stroke="#c48f5d" stroke-width="7"/>`,
  },
  cappuccino: {
    table: ash,
    draw: () =>
      `${plate(middle, 232)}<defs>${round('drink', [0, '#fffaf0'], [0.6, '#f4e4cb'], [0.86, '#c89362'], [1, '#8a5428'])}</defs>${cup([296, 296], 156, 'url(#drink)')}${scatter([296, 296], 92, 190, 5, dust('#5a3013', 3.4))}${spoon([474, 400], 16)}`,
  },
  'filter-of-the-day': {
    table: slate,
    draw: () =>
      `<defs>${coffee('drink')}${round('glass', [0, '#f4f6f6'], [0.8, '#cdd3d4'], [1, '#9aa3a5'])}</defs><path d="M440 320q84 6 70 70t-104 26" fill="none" stroke="#d5dadb" stroke-width="22" stroke-linecap="round"/>${disc(middle, 172, 'url(#glass)', 18)}${disc(middle, 156, 'url(#drink)')}<path d="M196 250q34 -86 122 -92" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="12" stroke-linecap="round"/>${[
        [92, 500],
        [128, 536],
        [66, 548],
        [502, 84],
        [536, 118],
        [478, 62],
        [150, 488],
      ]
        .map(([x = 0, y = 0], index) => bean([x, y], index * 50))
        .join('')}`,
  },
  'earl-grey': {
    table: ash,
    draw: () =>
      `${plate(middle, 226)}<defs>${round('drink', [0, '#e39a3d'], [0.6, '#c07020'], [1, '#7d3d0e'])}</defs>${cup([294, 294], 150, 'url(#drink)')}<g transform="translate(262 276)"><circle r="70" fill="#f5d94f"/><circle r="61" fill="#fdf3b8"/>${Array.from({ length: 8 }, (_, index) => `<path d="M0 0L18 -52Q0 -60 -18 -52Z" fill="#f7dc5c" transform="rotate(${index * 45})"/>`).join('')}</g>`,
  },
  'fresh-mint': {
    table: oak,
    draw: () =>
      `<defs>${round('glass', [0, '#ffffff'], [0.8, '#d7ddd2'], [1, '#a4ad9c'])}${round('drink', [0, '#e8efa9'], [0.6, '#c6d272'], [1, '#8f9f3f'])}</defs>${disc(middle, 180, 'url(#glass)', 18)}${disc(middle, 164, 'url(#drink)')}${[
        [300, 300, 20],
        [290, 300, 140],
        [300, 292, 255],
        [262, 346, 80],
        [330, 262, 310],
        [240, 262, 200],
      ]
        .map(([x = 0, y = 0, turn = 0], index) =>
          leaf([x, y], 118 - index * 6, turn, index % 2 ? '#3f8f45' : '#2f7a3a'),
        )
        .join(
          '',
        )}<path d="M178 258q30 -82 110 -96" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="12" stroke-linecap="round"/>`,
  },
  'almond-croissant': {
    table: slate,
    draw: () =>
      `${plate(middle, 240)}${croissant()}${scatter([300, 262], 88, 17, 11, flake)}${scatter([300, 280], 160, 120, 12, dust('#fff', 3))}`,
  },
  'pastel-de-nata': { table: walnut, draw: () => `${plate(middle, 246)}${nata([222, 246])}${nata([378, 356])}` },
  'cinnamon-bun': { table: ash, draw: () => `${plate(middle, 236)}${cinnamonBun()}` },
  'tomato-soup': {
    table: walnut,
    draw: () =>
      `<defs>${round('soup', [0, '#f07a3c'], [0.6, '#da4f1f'], [1, '#a52f0d'])}${round('crumb', [0, '#f6e2b6'], [1, '#e2bf83'])}</defs><g transform="rotate(-18 500 480)"><path d="M402 440q10 -84 96 -84t96 84v96h-192z" fill="#000" opacity=".3" transform="translate(10 14)" filter="url(#soft)"/><path d="M402 440q10 -84 96 -84t96 84v96h-192z" fill="#8b5422"/><path d="M416 446q8 -72 82 -72t82 72v90h-164z" fill="url(#crumb)"/></g>${plate([270, 280], 216)}${disc([270, 280], 168, 'url(#soup)')}<path d="M190 292q30 -78 104 -58t50 88t-94 26t8 -66" fill="none" stroke="#fff1dc" stroke-width="13" stroke-linecap="round" opacity=".92"/>${leaf([262, 292], 74, -28, '#3c8a3f')}${leaf([262, 296], 62, 120, '#327536')}${scatter([270, 280], 130, 26, 21, dust('#2b1608', 2.6))}`,
  },
  'cheese-toastie': {
    table: oak,
    draw: () =>
      `<defs>${round('toast', [0, '#e9b566'], [0.7, '#c98a3a'], [1, '#95591d'])}</defs>${plate(middle, 250)}${toast('190,380 190,200 370,200', 0)}${toast('230,412 412,412 412,232', 0)}${scatter([330, 330], 150, 16, 33, dust('#6f9a3c', 5))}`,
  },
}
