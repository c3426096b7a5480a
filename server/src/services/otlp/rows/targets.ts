import type { Signal } from '../wire/model.ts'

/** Where rows of a batch go. A record in the spool holds the place in this list: append only. */
export const otlpTargets = ['spans', 'server_logs'] as const

export type OtlpTarget = (typeof otlpTargets)[number]

/** Where the records of a signal go. */
export const targetOf = (signal: Signal): OtlpTarget => (signal === 'traces' ? 'spans' : 'server_logs')

/** The place in the list where the records of a signal go. */
export const placeOf = (signal: Signal): number => otlpTargets.indexOf(targetOf(signal))
