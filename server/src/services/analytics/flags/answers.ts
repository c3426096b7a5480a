import type { EvaluatedFlag } from '../../../ground/flags/flags.ts'

/** The forms of answers to requests for flags: that of `/flags?v=2` and `/decide?v=4`, and older ones. */
export type FlagsForm = 'v2' | 'values' | 'true values' | 'keys'

/** @param version `v` of the query string; `/flags` and `/decide` number their forms differently */
export function formOf(path: 'flags' | 'decide', version: string | null): FlagsForm {
  if (path === 'flags') return version === '2' ? 'v2' : 'values'
  if (version === '4') return 'v2'
  if (version === '2') return 'true values'
  return version === null || version === '1' ? 'keys' : 'values'
}

/**
 * Members of the answer by flag, a comma behind each: a flag that came to one outcome before is one object still
 * (`Flags.evaluate`). As bytes: to write a thousand of them anew takes ten times as long as to copy them.
 */
const rendered = new WeakMap<EvaluatedFlag, Buffer>()

function renderFlag(flag: EvaluatedFlag): Buffer {
  const known = rendered.get(flag)
  if (known !== undefined) return known
  const bytes = Buffer.from(`${JSON.stringify(flag.key)}:${JSON.stringify(describeFlag(flag))},`)
  rendered.set(flag, bytes)
  return bytes
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
 * Renders the answer of `/flags` and `/decide` as JSON in UTF-8 (analytics §5.1).
 *
 * @param config further members of the answer
 */
export function renderFlags(
  flags: readonly EvaluatedFlag[],
  form: FlagsForm,
  requestId: string,
  nowMs: number,
  config: object = {},
): Buffer {
  const answer = { ...config, errorsWhileComputingFlags: flags.some(({ failed }) => failed), requestId }
  if (form !== 'v2') return Buffer.from(JSON.stringify({ ...answer, ...renderValues(flags, form) }))
  const members = flags.map(renderFlag)
  // The last has no comma behind it.
  const last = members.at(-1)
  if (last !== undefined) members[members.length - 1] = last.subarray(0, -1)
  const rest = JSON.stringify({ ...answer, evaluatedAt: nowMs }).slice(1)
  return Buffer.concat([opening, ...members, Buffer.from(`},${rest}`)])
}

const opening = Buffer.from('{"flags":{')

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
