import type { EvaluatedFlag } from '../../../ground/flags/flags.ts'

/** The forms of answers to requests for flags: that of `/flags?v=2`, and older ones. */
export type FlagsForm = 'v2' | 'values' | 'true values' | 'keys'

/** @param version `v` of the query string; `/flags` and `/decide` number their forms differently */
export function formOf(path: 'flags' | 'decide', version: string | null): FlagsForm {
  if (path === 'flags') return version === '2' ? 'v2' : 'values'
  if (version === '2') return 'true values'
  return version === null || version === '1' ? 'keys' : 'values'
}

/** Members of the answer by flag: a flag that came to one outcome before is one object still (`Flags.evaluate`). */
const rendered = new WeakMap<EvaluatedFlag, string>()

function renderFlag(flag: EvaluatedFlag): string {
  const known = rendered.get(flag)
  if (known !== undefined) return known
  const text = `${JSON.stringify(flag.key)}:${JSON.stringify(describeFlag(flag))}`
  rendered.set(flag, text)
  return text
}

const describeFlag = (flag: EvaluatedFlag): object => ({
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

/**
 * Renders the answer of `/flags` and `/decide` as JSON text (analytics §5.1).
 *
 * @param config further members of the answer
 */
export function renderFlags(
  flags: readonly EvaluatedFlag[],
  form: FlagsForm,
  requestId: string,
  nowMs: number,
  config: object = {},
): string {
  const answer = { ...config, errorsWhileComputingFlags: flags.some(({ failed }) => failed), requestId }
  if (form !== 'v2') return JSON.stringify({ ...answer, ...renderValues(flags, form) })
  const members = JSON.stringify({ ...answer, evaluatedAt: nowMs })
  return `{"flags":{${flags.map(renderFlag).join(',')}},${members.slice(1)}`
}

function renderValues(flags: readonly EvaluatedFlag[], form: FlagsForm): object {
  const known = flags.filter(({ failed }) => !failed)
  const on = known.filter(({ value }) => value !== false)
  if (form === 'keys') return { featureFlags: on.map(({ key }) => key), featureFlagPayloads: {} }
  const listed = form === 'true values' ? on : known
  return {
    featureFlags: Object.fromEntries(listed.map(({ key, value }) => [key, value])),
    featureFlagPayloads: Object.fromEntries(
      on.flatMap(({ key, payload }) => (payload === null ? [] : [[key, payload]])),
    ),
  }
}
