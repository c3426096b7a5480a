/** Classes of viewports, each from a width on, in CSS pixels. */
export const deviceWidths = {
  phone: { from: 1, to: 599 },
  tablet: { from: 600, to: 1023 },
  desktop: { from: 1024, to: 65_535 },
} as const

export type Device = keyof typeof deviceWidths
export const devices = ['desktop', 'tablet', 'phone'] as const satisfies readonly Device[]

/** What posthog-js tells positions of (analytics §3). */
export const pointKinds = ['click', 'rageclick', 'deadclick', 'mousemove'] as const
export type PointKind = (typeof pointKinds)[number]

export const heatmapRanges = ['24h', '7d', '30d', '90d'] as const
export type HeatmapRange = (typeof heatmapRanges)[number]

/** Which views of which pages are meant. */
export interface Selection {
  /** An address without query and fragment; `*` stands for any part of it. */
  readonly page: string
  readonly device: Device
  readonly fromMs: number
  /** Not included. */
  readonly toMs: number
}

/** A rectangle of a page; `x` in parts of the viewport's width, `y` in pixels from the top of the page, or of the viewport. */
export interface Area {
  readonly fromX: number
  readonly toX: number
  readonly fromY: number
  readonly toY: number
  /** On elements that stay where they are when the page scrolls. */
  readonly isFixed: boolean
}

/** Columns of a grid over the viewport's width, and pixels of a row. */
export const gridColumns = 160
export const rowPx = 10
/** What lies further down is left out. */
export const highestPx = 1_000_000

/** Bands of the depth of a page. */
export const scrollBands = 20
