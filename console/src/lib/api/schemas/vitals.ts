import type { Answer, Schemas } from './answer.ts'

/** How pages do: their vitals as a whole and in their course. */
export type WebVitals = Answer<'webVitals'>

/** The numbers of one vital. */
export type VitalSummary = Schemas['VitalSummary']

/** A path with one percentile of each vital. */
export type VitalPath = Schemas['VitalPath']

/** Paths, and whether there are more. */
export type VitalPaths = Answer<'webVitalPaths'>

/** A visit in which a vital was measured. */
export type VitalVisit = Schemas['VitalVisit']
