import { readText } from '../../lib/read-search.ts'

export const devices = ['desktop', 'tablet', 'phone'] as const
export type Device = (typeof devices)[number]

const ranges = ['24h', '7d', '30d', '90d'] as const
export type HeatmapRange = (typeof ranges)[number]
export const usualRange = '30d'

/** What is drawn: positions of a kind, or how far pages were scrolled. */
export const drawnKinds = ['click', 'rageclick', 'deadclick', 'mousemove', 'scroll'] as const
export type DrawnKind = (typeof drawnKinds)[number]
export type PointKind = Exclude<DrawnKind, 'scroll'>

/** A rectangle of a page: `x` in parts of its width, `y` in pixels. */
export interface Area {
  readonly fromX: number
  readonly toX: number
  readonly fromY: number
  readonly toY: number
}

/** All that a link to heat maps says. */
export interface HeatmapsSearch {
  /** The list's filter; a pattern of addresses. */
  readonly q?: string
  readonly range?: HeatmapRange
  /** The page that is drawn: an address without query and fragment, with `*` for any part of it. */
  readonly page?: string
  readonly device?: Device
  readonly kind?: DrawnKind
  /** Positions on elements that stay where they are when the page scrolls. */
  readonly fixed?: true
  /** What is chosen of the page, as `renderArea` writes it. */
  readonly area?: string
}

/** Reads a link; what it does not understand it leaves out. */
export function readHeatmapsSearch(search: Readonly<Record<string, unknown>>): HeatmapsSearch {
  const one = <Name extends string>(name: string, names: readonly Name[]) => {
    const found = names.find((each) => each === search[name])
    return found === undefined ? {} : { [name]: found }
  }
  const { area, ...texts } = readText(search, 'q', 'page', 'area')
  return {
    ...texts,
    ...one('range', ranges),
    ...one('device', devices),
    ...one('kind', drawnKinds),
    ...(search.fixed === true ? { fixed: true } : {}),
    ...(area !== undefined && parseArea(area) !== null ? { area } : {}),
  }
}

const areaForm = /^(\d{1,3}(?:\.\d{1,2})?)-(\d{1,3}(?:\.\d{1,2})?),(\d{1,7})-(\d{1,7})$/

/** Reads an area of a link: hundredths of the width, then pixels from the top, as `40-45.5,120-160`. */
export function parseArea(text: string): Area | null {
  const [, fromX, toX, fromY, toY] = areaForm.exec(text) ?? []
  if (fromX === undefined) return null
  const area = { fromX: Number(fromX) / 100, toX: Number(toX) / 100, fromY: Number(fromY), toY: Number(toY) }
  return area.toX > 1 || area.fromX > area.toX || area.fromY > area.toY || area.toY > highestPx ? null : area
}

const highestPx = 1_000_000

/** An area as a link has it. */
export function renderArea({ fromX, toX, fromY, toY }: Area): string {
  const hundredths = (part: number): string => String(Math.round(Math.min(Math.max(part, 0), 1) * 10_000) / 100)
  const pixels = (y: number): number => Math.round(Math.min(Math.max(y, 0), highestPx))
  return `${hundredths(fromX)}-${hundredths(toX)},${pixels(fromY)}-${pixels(toY)}`
}

/** An address as it is shown: the secure protocol goes without saying. */
export const shownPage = (page: string): string => page.replace(/^https:\/\//, '')
