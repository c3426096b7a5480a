import type { Postgres, Sql } from '../../engines/postgres/index.ts'
import type { EarlyAccessFeature, EvaluatedFlag, FlagCall, Flags } from '../../ground/flags/flags.ts'
import type { Log } from '../../ground/model/log.ts'
import type { Consent } from '../../ground/privacy/consent.ts'
import type { Forget } from '../../ground/privacy/withdrawal.ts'
import { createEvaluation } from './evaluate/evaluate.ts'
import type { PreparedFlag } from './evaluate/prepare.ts'
import type { GroupsPort, PeoplePort } from './ports.ts'
import type { FlagsSettings } from './settings.ts'
import { createDefinitions, type Definitions, type DefinitionsCache } from './stored/definitions.ts'
import { renderDefinitions } from './stored/local.ts'
import { deleteBucketsStatement, setExperimentStatement } from './stored/store.ts'
import { findSubject } from './subject.ts'

/** What flags need of engines and other services. */
export interface FlagsDeps {
  /** Statements on the tables of this room. */
  readonly sql: Sql
  /** Reads tables of the application as their owner, for row conditions. */
  readonly reader: Pick<Sql, 'query'>
  readonly listen: Postgres['listen']
  readonly people: PeoplePort
  readonly groups: GroupsPort
  /** Says which people a bucket may be kept for. */
  readonly consent: Pick<Consent, 'among'>
  readonly now: () => Date
  readonly settings: FlagsSettings
  readonly log: Log
}

/** The flags of a project. */
export interface FlagsRoom extends Flags {
  /** For the console's part of this room. */
  readonly inside: { readonly deps: FlagsDeps; readonly cache: DefinitionsCache }
  /** The variants of a flag with their shares, in their order; null for a flag that there is none of. */
  variantsOf(key: string): Promise<readonly { readonly key: string; readonly share: number }[] | null>
  /** Tells clients whether a flag is experimented with. */
  setExperiment(key: string, isRunning: boolean): Promise<void>
  /** Removes the buckets that calls of these people have left. */
  readonly forget: Forget
  close(): Promise<void>
}

/** Whether a flag is for a call, by where it runs and the contexts that it names. */
const isFor =
  ({ runtime, contexts }: Pick<FlagCall, 'runtime' | 'contexts'>) =>
  ({ definition }: PreparedFlag): boolean =>
    (definition.runtime === 'all' || runtime === null || definition.runtime === runtime) &&
    (contexts.length === 0 ||
      definition.contexts.length === 0 ||
      definition.contexts.some((context) => contexts.includes(context)))

/** Evaluates the flags of a call on definitions. */
export async function evaluateCall(
  deps: Pick<FlagsDeps, 'sql' | 'reader' | 'people' | 'groups' | 'consent' | 'now' | 'log'>,
  definitions: Definitions,
  call: FlagCall,
): Promise<readonly EvaluatedFlag[]> {
  const { prepared, needs } = definitions
  if (prepared.flags.size === 0) return []
  const groupTypes = needs.groups ? await deps.groups.types() : new Map<number, string>()
  const subject = await findSubject(deps, call, prepared, needs)
  const isForCall = isFor(call)
  const nowMs = deps.now().getTime()
  const outcomeOf = createEvaluation(prepared, subject, { groupTypes, nowMs }, (flag) => !isForCall(flag))
  const keys = call.keys === null ? null : new Set(call.keys)
  const answered: EvaluatedFlag[] = []
  for (const flag of prepared.flags.values()) {
    const { key, active } = flag.definition
    // A flag that is off for all is answered to those who ask for it by its key.
    if (!isForCall(flag) || (keys === null ? !active : !keys.has(key))) continue
    const outcome = outcomeOf(key)
    if (outcome !== null) answered.push(outcome)
  }
  return answered
}

/** Opens the flags of a project; their tables must have been migrated. */
export async function createFlags(deps: FlagsDeps): Promise<FlagsRoom> {
  const cache = await createDefinitions(deps)
  let rendered: { readonly of: Definitions; readonly types: string; readonly answer: LocalAnswer } | null = null
  return {
    any: async () => (await cache.current()).flags.length > 0,
    evaluate: async (call) => evaluateCall(deps, await cache.current(), call),
    async keysOverGroups(type) {
      const { prepared } = await cache.current()
      const groupTypes = await deps.groups.types()
      return [...prepared.flags.values()].filter((flag) => countsGroups(flag, type, groupTypes)).map(keyOf)
    },
    async definitions() {
      const of = await cache.current()
      const groupTypes = await deps.groups.types()
      const types = JSON.stringify([...groupTypes])
      if (rendered?.of !== of || rendered.types !== types)
        rendered = { of, types, answer: renderDefinitions(of, groupTypes, of.overridden) }
      return rendered.answer
    },
    async payloadOf(key) {
      const flag = (await cache.current()).prepared.flags.get(key)
      return flag === undefined ? undefined : (flag.definition.filters.payloads?.true ?? null)
    },
    earlyAccess: async (stages) => listFeatures(await cache.current(), stages),
    async variantsOf(key) {
      const flag = (await cache.current()).flags.find((one) => one.key === key)
      if (flag === undefined) return null
      const variants = flag.filters.multivariate?.variants ?? []
      return variants.map(({ key: variant, rollout_percentage: share }) => ({ key: variant, share }))
    },
    async setExperiment(key, isRunning) {
      await deps.sql.query(setExperimentStatement(key, isRunning))
      cache.changed()
    },
    async forget(distinctIds, { receivedMs }) {
      await deps.sql.query(deleteBucketsStatement(distinctIds, new Date(receivedMs)))
    },
    inside: { deps, cache },
    close: cache.close,
  }
}

const keyOf = ({ definition }: PreparedFlag): string => definition.key

/** Whether a flag counts groups of a type: with its conditions, or with one of them. */
const countsGroups = (
  { definition, conditions, groupTypeIndex: own }: PreparedFlag,
  type: string,
  types: ReadonlyMap<number, string>,
): boolean =>
  definition.active &&
  [own, ...conditions.map(({ groupTypeIndex }) => groupTypeIndex)].some(
    (index) => index != null && types.get(index) === type,
  )

type LocalAnswer = ReturnType<typeof renderDefinitions>

/** What posthog-js is told when it names no stage. */
const defaultStages = ['beta']

function listFeatures({ flags }: Definitions, stages: readonly string[]): readonly EarlyAccessFeature[] {
  const wanted = stages.length === 0 ? defaultStages : stages
  return flags.flatMap(({ id, key, active, description, earlyAccess, filters }) => {
    if (earlyAccess === null || !active || !filters.feature_enrollment || !wanted.includes(earlyAccess.stage)) return []
    const { name, stage, documentationUrl } = earlyAccess
    const payload: unknown = filters.payloads?.true === undefined ? null : JSON.parse(filters.payloads.true)
    return [{ id: String(id), name, description, stage, documentationUrl, payload, flagKey: key }]
  })
}
