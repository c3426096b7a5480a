import type { EvaluatedFlag } from '../../../ground/flags/flags.ts'

/** The forms of answers to requests for flags: that of `/flags?v=2`, and older ones. */
export type FlagsForm = 'v2' | 'values' | 'true values' | 'keys'

/** @param version `v` of the query string; `/flags` and `/decide` number their forms differently */
export function formOf(path: 'flags' | 'decide', version: string | null): FlagsForm {
  if (path === 'flags') return version === '2' ? 'v2' : 'values'
  if (version === '2') return 'true values'
  return version === null || version === '1' ? 'keys' : 'values'
}

const renderFlag = (flag: EvaluatedFlag): object => ({
  key: flag.key,
  enabled: flag.value !== false,
  ...(typeof flag.value === 'string' && { variant: flag.value }),
  ...(flag.failed && { failed: true }),
  reason: {
    code: flag.reason.code,
    condition_index: flag.reason.conditionIndex,
    description: flag.reason.description,
  },
  metadata: {
    id: flag.id,
    version: flag.version,
    description: flag.description === '' ? null : flag.description,
    payload: flag.payload,
    has_experiment: flag.hasExperiment,
  },
})

/** Renders the answer of `/flags` and `/decide` (analytics §5.1). */
export function renderFlags(
  flags: readonly EvaluatedFlag[],
  form: FlagsForm,
  requestId: string,
  nowMs: number,
): Record<string, unknown> {
  const answer = { errorsWhileComputingFlags: flags.some(({ failed }) => failed), requestId }
  if (form === 'v2')
    return {
      flags: Object.fromEntries(flags.map((flag) => [flag.key, renderFlag(flag)])),
      ...answer,
      evaluatedAt: nowMs,
    }
  const known = flags.filter(({ failed }) => !failed)
  const on = known.filter(({ value }) => value !== false)
  if (form === 'keys') return { featureFlags: on.map(({ key }) => key), featureFlagPayloads: {}, ...answer }
  const listed = form === 'true values' ? on : known
  return {
    featureFlags: Object.fromEntries(listed.map(({ key, value }) => [key, value])),
    featureFlagPayloads: Object.fromEntries(
      on.flatMap(({ key, payload }) => (payload === null ? [] : [[key, payload]])),
    ),
    ...answer,
  }
}
