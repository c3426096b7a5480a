import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import { devices, gridColumns, heatmapRanges, pointKinds, rowPx, scrollBands } from './selection.ts'

export const Device = Type.Enum([...devices])
export const PointKindSchema = Type.Enum([...pointKinds])
export const Range = Type.Enum([...heatmapRanges], { default: '30d' })

export const PagePattern = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'An address without query and fragment; `*` stands for any part of it',
})

/** A page with how much there is of it. */
export const HeatmapPage = Type.Object(
  {
    page: Type.String(),
    clicks: Type.Integer(),
    rageClicks: Type.Integer(),
    deadClicks: Type.Integer(),
    moves: Type.Integer(),
    views: Type.Integer({ description: 'Of which it is known how far they were scrolled' }),
    device: Type.Enum([...devices], { description: 'The class of viewports from which there is most' }),
  },
  { $id: 'HeatmapPage' },
)
export type HeatmapPage = Static<typeof HeatmapPage>

/** Cells as three lists of one length. */
const Cells = Type.Object({
  columns: Type.Array(Type.Integer()),
  rows: Type.Array(Type.Integer()),
  points: Type.Array(Type.Integer()),
})
export type Cells = Static<typeof Cells>

/** An element with its clicks. */
export const HeatmapElement = Type.Object(
  {
    label: Nullable(Type.String(), { description: 'In a person’s words' }),
    path: Type.String({ description: 'The element and what is around it, as a CSS selector says it' }),
    clicks: Type.Integer(),
    visitors: Type.Integer(),
  },
  { $id: 'HeatmapElement' },
)
export type HeatmapElement = Static<typeof HeatmapElement>

/** Where people clicked, or moved, on a page. */
export const Heatmap = Type.Object({
  points: Type.Integer({ description: 'All of them, those on fixed elements as well' }),
  fixedPoints: Type.Integer({ description: 'Those on elements that stay where they are when the page scrolls' }),
  visitors: Type.Integer({ description: 'Ids of browsers' }),
  sessions: Type.Integer(),
  width: Type.Integer({ description: 'The middle width of the viewports, in pixels; 0: there is none' }),
  height: Type.Integer({ description: 'Their middle height' }),
  gridColumns: Type.Literal(gridColumns, { description: 'Columns over the width of a viewport' }),
  rowPx: Type.Literal(rowPx, { description: 'Pixels of a row' }),
  cells: Cells,
  fixedCells: Cells,
  isCut: Type.Boolean({ description: 'There are more cells than `heatmap_cells` says' }),
  elements: Type.Array(HeatmapElement),
})
export type Heatmap = Static<typeof Heatmap>

/** How far down a page people came. */
export const ScrollMap = Type.Object({
  views: Type.Integer(),
  reached: Type.Array(Type.Integer(), {
    description: `Views that saw at least the beginning of each of ${scrollBands} equal bands, from the top`,
  }),
  height: Type.Integer({ description: 'The middle height of the page, in pixels' }),
  fold: Type.Integer({ description: 'What of it is seen without scrolling, in pixels' }),
})
export type ScrollMap = Static<typeof ScrollMap>

/** What was done in an area of a page. */
export const HeatmapArea = Type.Object({
  points: Type.Integer(),
  visitors: Type.Integer({ description: 'Ids of browsers' }),
  sessions: Type.Integer(),
  newest: Type.Array(
    Type.Object({
      sessionId: Type.String(),
      distinctId: Type.String(),
      person: Nullable(
        Type.Object({ id: Type.String(), email: Nullable(Type.String()), name: Nullable(Type.String()) }),
      ),
      points: Type.Integer(),
      at: Instant,
    }),
    { description: 'The newest sessions, each with an instant just before its last position was told' },
  ),
})
export type HeatmapArea = Static<typeof HeatmapArea>
