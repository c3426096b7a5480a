import type { JsonObject } from '../json/object.ts'

/** What a flag came to: off, on, or one of its variants. */
export type FlagValue = boolean | string

/** Why a flag came to its value, in the codes of `/flags` (analytics §5.1). */
export type FlagReasonCode =
  | 'condition_match'
  | 'no_condition_match'
  | 'out_of_rollout_bound'
  | 'no_group_type'
  | 'super_condition_value'
  | 'holdout_condition_value'
  | 'flag_disabled'
  | 'missing_dependency'

/** Why a flag came to its value. */
export interface FlagReason {
  readonly code: FlagReasonCode
  /** The condition that decided, counted from 0. */
  readonly conditionIndex: number | null
  readonly description: string
}

/** One flag as it was evaluated for a call. */
export interface EvaluatedFlag {
  readonly id: number
  readonly key: string
  readonly version: number
  readonly description: string
  readonly hasExperiment: boolean
  readonly value: FlagValue
  readonly reason: FlagReason
  /** JSON as text. */
  readonly payload: string | null
  /** Whether what the flag asks for could not be looked up: its value says nothing. */
  readonly failed: boolean
}

/** The person, the groups and the place that flags are evaluated for (analytics §5.1). */
export interface FlagCall {
  readonly distinctId: string
  /** The id that the browser had before the person identified themselves, in the first call after that. */
  readonly anonymousId: string | null
  readonly deviceId: string | null
  /** Group type to group key. */
  readonly groups: Readonly<Record<string, string>>
  /** They stand above stored ones. */
  readonly personProperties: JsonObject
  /** By group type; they stand above stored ones. */
  readonly groupProperties: Readonly<Record<string, JsonObject>>
  /** Only these are answered; null for all. */
  readonly keys: readonly string[] | null
  readonly runtime: 'client' | 'server' | null
  readonly contexts: readonly string[]
}

/** A feature that users may switch on for themselves, as posthog-js lists it. */
export interface EarlyAccessFeature {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly stage: string
  readonly documentationUrl: string | null
  readonly payload: unknown
  readonly flagKey: string
}

/** What the endpoints for flags ask of the flags of a project. */
export interface Flags {
  /** Whether the project has a flag, so that browsers ask for them. */
  any(): Promise<boolean>
  /** Evaluates the flags of a call, in the order of their keys; one outcome of a flag is one object in all answers. */
  evaluate(call: FlagCall): Promise<readonly EvaluatedFlag[]>
  /** The keys of the active flags that count groups of a type, in all or one of their conditions. */
  keysOverGroups(type: string): Promise<readonly string[]>
  /** The definitions for local evaluation, as JSON text with its entity tag. */
  definitions(): Promise<{ readonly etag: string; readonly body: string }>
  /** The payload of a flag that is on for everybody, as JSON text; null without one, undefined for an unknown flag. */
  payloadOf(key: string): Promise<string | null | undefined>
  /** Features in these stages; in all that are shown when none is named. */
  earlyAccess(stages: readonly string[]): Promise<readonly EarlyAccessFeature[]>
}
