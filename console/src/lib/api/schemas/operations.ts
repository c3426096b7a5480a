import type { Answer, Schemas } from './answer.ts'

/** The free space, what each kind of data takes, and the latest clean-up. */
export type DiskState = Answer<'disk'>
/** What one kind of data takes. */
export type DiskKind = DiskState['kinds'][number]

/** Something that is watched, with how it is. */
export type AlertRule = Schemas['AlertRule']
/** What the team was told of an alert. */
export type AlertNotice = Schemas['AlertNotice']
/** What is watched, and what the team was told, newest first. */
export type AlertsAnswer = Answer<'alerts'>
