import type { ExperimentResult } from '../../lib/api/schemas.ts'

type Kind = ExperimentResult['metrics'][number]['kind']

const share = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1, minimumFractionDigits: 1 })
const amount = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 4 })

/** A share as per cent, a mean as it is. */
export const valueText = (value: number, kind: Kind): string =>
  kind === 'conversion' ? `${share.format(value * 100)} %` : amount.format(value)

/** A difference of two values, with its sign. */
export const differenceText = (value: number, kind: Kind): string =>
  `${value > 0 ? '+' : ''}${kind === 'conversion' ? `${share.format(value * 100)} points` : amount.format(value)}`

/** A chance as per cent; none is certain. */
export const chanceText = (chance: number): string =>
  chance > 0.999 ? '> 99.9 %' : chance < 0.001 ? '< 0.1 %' : `${share.format(chance * 100)} %`

/** Below it, a split is no accident. */
export const impossibleSplit = 0.001

/** Of a variant; with fewer, what chance does is larger than most changes are. */
export const fewPersons = 100
