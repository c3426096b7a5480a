import type { Answer, Schemas } from './answer.ts'

/** A page with how much is known of it. */
export type HeatmapPage = Schemas['HeatmapPage']

/** Where people clicked, or moved, on a page. */
export type Heatmap = Answer<'heatmap'>

/** An element with its clicks. */
export type HeatmapElement = Schemas['HeatmapElement']

/** How far down a page people came. */
export type ScrollMap = Answer<'scrollMap'>

/** What was done in an area of a page. */
export type HeatmapArea = Answer<'heatmapArea'>

/** The part of a recording that draws a page. */
export type HeatmapPicture = NonNullable<Answer<'heatmapPicture'>['picture']>
