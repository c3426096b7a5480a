/** Something that explains an answer, or a part of it. */
export interface Finding {
  readonly code: FindingCode
  readonly title: string
  readonly detail: string | null
  /** `schema.table` that it is about; null where it is about the request. */
  readonly relation: string | null
  /** Statements that would change it, to be read before they are run; null where none is known. */
  readonly sql: string | null
}

export const findingCodes = [
  'token_refused',
  'role_unknown',
  'role_not_reachable',
  'request_refused',
  'schema_not_granted',
  'table_not_granted',
  'columns_not_granted',
  'sequence_not_granted',
  'function_not_granted',
  'policy_recursion',
  'policy_error',
  'query_refused',
  'no_policy',
  'no_policy_for_command',
  'no_policy_for_role',
  'restrictive_policy',
  'nobody_signed_in',
  'claim_missing',
  'claim_differs',
  'column_is_null',
  'other_owner',
  'hidden_inside',
  'clause_false',
  'row_not_known',
  'view_runs_as_owner',
  'function_runs_as_owner',
  'table_empty',
  'filter_differs_in_case',
  'filter_matches_nothing',
  'filters_match_nothing',
  'range_beyond',
  'visible',
] as const

export type FindingCode = (typeof findingCodes)[number]
