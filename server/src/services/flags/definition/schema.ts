import { type Static, Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import { isObject } from '../../../ground/json/object.ts'

const Name = Type.String({ minLength: 1, maxLength: 400 })
const Percentage = Type.Number({ minimum: 0, maximum: 100 })
const GroupTypeIndex = Type.Integer({ minimum: 0, maximum: 4 })

/** A condition's filter, in PostHog's words; which members a type needs, `findProblems` says. */
export const Filter = Type.Object(
  {
    type: Type.Optional(
      Type.Union(
        [
          Type.Literal('person'),
          Type.Literal('group'),
          Type.Literal('cohort'),
          Type.Literal('flag'),
          Type.Literal('row'),
        ],
        { description: '`person` when absent' },
      ),
    ),
    key: Type.Optional(Type.String({ maxLength: 400, description: 'A property, or the key of another flag' })),
    value: Type.Optional(
      Type.Unknown({ description: 'A text, number, boolean or a list of them; of a cohort its id' }),
    ),
    operator: Type.Optional(Nullable(Type.String({ maxLength: 40 }), { description: '`exact` when absent' })),
    negation: Type.Optional(Type.Boolean()),
    group_type_index: Type.Optional(Nullable(GroupTypeIndex)),
    table: Type.Optional(Type.String({ maxLength: 200, description: 'Of a row: `table` or `schema.table`' })),
    column: Type.Optional(Type.String({ maxLength: 63, description: 'Of a row: whose value is compared' })),
    match: Type.Optional(Type.String({ maxLength: 63, description: 'Of a row: the column with the user’s id' })),
  },
  { $id: 'FlagFilter' },
)

const Condition = Type.Object(
  {
    properties: Type.Optional(Type.Array(Filter, { maxItems: 100 })),
    rollout_percentage: Type.Optional(Nullable(Percentage)),
    variant: Type.Optional(Nullable(Type.String({ maxLength: 400 }))),
    aggregation_group_type_index: Type.Optional(Nullable(GroupTypeIndex)),
    description: Type.Optional(Nullable(Type.String({ maxLength: 1_000 }))),
  },
  { $id: 'FlagCondition' },
)

const Variant = Type.Object(
  {
    key: Name,
    name: Type.Optional(Nullable(Type.String({ maxLength: 400 }))),
    rollout_percentage: Percentage,
  },
  { $id: 'FlagVariant' },
)

/** What a flag says of who gets it, in PostHog's form. */
export const FlagFilters = Type.Object(
  {
    groups: Type.Array(Condition, { maxItems: 100 }),
    multivariate: Type.Optional(Nullable(Type.Object({ variants: Type.Array(Variant, { maxItems: 50 }) }))),
    payloads: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 65_536 }), {
        description: 'JSON as text, by variant; `true` for a flag without',
      }),
    ),
    aggregation_group_type_index: Type.Optional(Nullable(GroupTypeIndex)),
    holdout: Type.Optional(Nullable(Type.Object({ id: Type.Integer(), exclusion_percentage: Percentage }))),
    early_exit: Type.Optional(Nullable(Type.Boolean())),
    feature_enrollment: Type.Optional(
      Nullable(Type.Boolean(), { description: 'Whether users switch it on for themselves (early access)' }),
    ),
  },
  { $id: 'FlagFilters' },
)

export type Filter = Static<typeof Filter>
export type FlagFilters = Static<typeof FlagFilters>
export type Condition = FlagFilters['groups'][number]

/** Properties that make a cohort: filters, or groups of them, joined by AND or OR. */
export interface CohortGroup {
  readonly type?: 'AND' | 'OR'
  readonly values?: readonly (CohortGroup | Filter)[]
}

/** Whether a member of a cohort's group is a group itself. */
export const isCohortGroup = (value: CohortGroup | Filter): value is CohortGroup => isObject(value) && 'values' in value
