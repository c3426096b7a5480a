/** A table top: the colour of its wood, and of the light on it. */
export interface TableTop {
  readonly wood: string
  readonly dark: string
}

/** A point, in a picture of 600 by 600. */
export type Point = readonly [x: number, y: number]

/** Numbers between 0 and 1 that look random and are always the same ones. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A disc that throws a shadow; `fill` is a colour or `url(#…)`. */
export const disc = ([x, y]: Point, radius: number, fill: string, shadow = 0): string =>
  `${shadow > 0 ? `<circle cx="${x + shadow}" cy="${y + shadow * 1.4}" r="${radius}" fill="#000" opacity=".38" filter="url(#soft)"/>` : ''}<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`

/** A gradient from the middle to the rim, lit from the upper left. */
export const round = (id: string, ...stops: readonly (readonly [offset: number, color: string])[]): string =>
  `<radialGradient id="${id}" cx=".42" cy=".38" r=".68">${stops.map(([offset, color]) => `<stop offset="${offset}" stop-color="${color}"/>`).join('')}</radialGradient>`

/** A plate or saucer of white china, seen from above. */
export const plate = (at: Point, radius: number): string =>
  `<defs>${round('china', [0, '#ffffff'], [0.7, '#f3efe8'], [1, '#d9d2c6'])}</defs>${disc(at, radius, 'url(#china)', 16)}<circle cx="${at[0]}" cy="${at[1]}" r="${radius * 0.7}" fill="none" stroke="#cfc7b8" stroke-width="3" opacity=".55"/>`

/** A cup with its handle and what is in it. */
export const cup = (at: Point, radius: number, drink: string): string => {
  const [x, y] = at
  const handle = `<path d="M${x + radius * 0.78} ${y + radius * 0.5}q${radius * 0.62} ${radius * 0.1} ${radius * 0.5} ${radius * 0.48}t-${radius * 0.72} -${radius * 0.06}" fill="none" stroke="#efeae1" stroke-width="${radius * 0.16}" stroke-linecap="round"/>`
  return `${handle}<defs>${round('glaze', [0, '#ffffff'], [1, '#ddd6ca'])}</defs>${disc(at, radius, 'url(#glaze)', 10)}${disc(at, radius * 0.9, '#b9ae9c')}${disc(at, radius * 0.87, drink)}`
}

/** A leaf with its veins, turned by degrees. */
export const leaf = ([x, y]: Point, length: number, degrees: number, color: string): string =>
  `<g transform="translate(${x} ${y}) rotate(${degrees})"><path d="M0 0C${length * 0.2} -${length * 0.42} ${length * 0.75} -${length * 0.4} ${length} 0C${length * 0.75} ${length * 0.4} ${length * 0.2} ${length * 0.42} 0 0Z" fill="#000" opacity=".25" transform="translate(5 8)" filter="url(#soft)"/><path d="M0 0C${length * 0.2} -${length * 0.42} ${length * 0.75} -${length * 0.4} ${length} 0C${length * 0.75} ${length * 0.4} ${length * 0.2} ${length * 0.42} 0 0Z" fill="${color}"/><path d="M0 0H${length * 0.94}M${length * 0.3} 0l${length * 0.16} -${length * 0.18}M${length * 0.3} 0l${length * 0.16} ${length * 0.18}M${length * 0.55} 0l${length * 0.14} -${length * 0.15}M${length * 0.55} 0l${length * 0.14} ${length * 0.15}" stroke="#fff" stroke-opacity=".35" stroke-width="2" fill="none"/></g>`

/** Crumbs, seeds or sugar within a circle. */
export function scatter(
  [x, y]: Point,
  radius: number,
  count: number,
  seed: number,
  draw: (at: Point, turn: number) => string,
): string {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => {
    const [angle, distance] = [random() * 2 * Math.PI, Math.sqrt(random()) * radius]
    return draw([x + Math.cos(angle) * distance, y + Math.sin(angle) * distance], random() * 360)
  }).join('')
}

/** A spoon beside a cup. */
export const spoon = ([x, y]: Point, degrees: number): string =>
  `<g transform="translate(${x} ${y}) rotate(${degrees})"><g fill="#000" opacity=".3" transform="translate(6 9)" filter="url(#soft)"><ellipse rx="24" ry="34"/><rect x="-5" y="26" width="10" height="150" rx="5"/></g><ellipse rx="24" ry="34" fill="#c9c7c2"/><ellipse cx="-4" cy="-5" rx="16" ry="24" fill="#ecebe7"/><rect x="-5" y="26" width="10" height="150" rx="5" fill="#c4c1bb"/><rect x="-3" y="30" width="3" height="142" rx="1.5" fill="#f4f3f0"/></g>`

/** A picture: the table top, what stands on it, the light, and the grain of a photograph. */
export function scene({ wood, dark }: TableTop, draw: () => string): string {
  const planks = [150, 300, 450].map((y) => `<rect y="${y}" width="600" height="3" fill="${dark}" opacity=".5"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600" width="600" height="600">
<defs>
  <filter id="soft" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="13"/></filter>
  <filter id="grain"><feTurbulence type="fractalNoise" baseFrequency=".006 .16" numOctaves="4" seed="3"/><feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 -1.1 .75"/></filter>
  <filter id="noise"><feTurbulence type="fractalNoise" baseFrequency=".8" numOctaves="2" seed="8"/><feColorMatrix values="0 0 0 0 .5  0 0 0 0 .5  0 0 0 0 .5  0 0 0 .9 -.28"/></filter>
  <radialGradient id="light" cx=".3" cy=".2" r="1"><stop offset="0" stop-color="#fff" stop-opacity=".34"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".42"/></radialGradient>
</defs>
<rect width="600" height="600" fill="${wood}"/>
<rect width="600" height="600" filter="url(#grain)" opacity=".32"/>${planks.join('')}
${draw()}
<rect width="600" height="600" fill="url(#light)"/>
<rect width="600" height="600" filter="url(#noise)" opacity=".14"/>
</svg>`
}
