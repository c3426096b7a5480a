import { captureAnswers } from './answers.ts'
import { captureV1 } from './capture-v1.ts'
import type { AnalyticsCase } from './case.ts'
import { catalogue } from './catalogue.ts'
import { configuration } from './configuration.ts'
import { consent } from './consent.ts'
import { cookieless } from './cookieless.ts'
import { cors } from './cors.ts'
import { encodings } from './encodings.ts'
import { endpoints } from './endpoints.ts'
import { envelopes } from './envelopes.ts'
import { evaluation } from './evaluation.ts'
import { fields } from './fields.ts'
import { flags } from './flags.ts'
import { mergeRules } from './merging.ts'
import { personProperties } from './person-properties.ts'
import { persons } from './persons.ts'
import { properties } from './properties.ts'
import { recordings } from './recordings.ts'
import { scripts } from './scripts.ts'
import { times } from './times.ts'
import { tracing } from './tracing.ts'

/** Every case of the analytics protocol. */
export const analyticsCases: readonly AnalyticsCase[] = [
  ...endpoints,
  ...cors,
  ...encodings,
  ...envelopes,
  ...captureAnswers,
  ...captureV1,
  ...fields,
  ...times,
  ...properties,
  ...catalogue,
  ...persons,
  ...mergeRules,
  ...personProperties,
  ...flags,
  ...evaluation,
  ...recordings,
  ...configuration,
  ...scripts,
  ...tracing,
  ...cookieless,
  ...consent,
]
