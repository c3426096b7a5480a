import { aggregates } from './aggregates.ts'
import { calling } from './calling.ts'
import type { RestCase } from './case.ts'
import { changing } from './changing.ts'
import { cors } from './cors.ts'
import { edges } from './edges.ts'
import { embedding } from './embedding.ts'
import { errors } from './errors.ts'
import { executionPlans } from './execution-plans.ts'
import { filters } from './filters.ts'
import { functionResults } from './function-results.ts'
import { inserting } from './inserting.ts'
import { mediaTypeHandlers } from './media-type-handlers.ts'
import { mediaTypes } from './media-types.ts'
import { preferences } from './preferences.ts'
import { ranges } from './ranges.ts'
import { reading } from './reading.ts'
import { relationships } from './relationships.ts'
import { representations } from './representations.ts'
import { resources } from './resources.ts'
import { roles } from './roles.ts'
import { schemas } from './schemas.ts'
import { selectAndOrder } from './select-and-order.ts'
import { spreads } from './spreads.ts'
import { upserting } from './upserting.ts'
import { values } from './values.ts'

/** Every case of the REST contract, on `bookshop.sql` and `warehouse.sql`. */
export const restCases: readonly RestCase[] = [
  ...resources,
  ...filters,
  ...selectAndOrder,
  ...aggregates,
  ...reading,
  ...ranges,
  ...relationships,
  ...embedding,
  ...spreads,
  ...preferences,
  ...inserting,
  ...representations,
  ...upserting,
  ...changing,
  ...calling,
  ...functionResults,
  ...mediaTypes,
  ...executionPlans,
  ...mediaTypeHandlers,
  ...schemas,
  ...values,
  ...roles,
  ...errors,
  ...cors,
  ...edges,
]
