import type { Consent } from '../../ground/privacy/consent.ts'
import { type Analytics, type CaptureRules, captureRulesService } from '../../services/analytics/index.ts'
import { createExperiments, type ExperimentsRoom, experimentsService } from '../../services/experiments/index.ts'
import { createFlags, type FlagsRoom, flagsService } from '../../services/flags/index.ts'
import type { Operators } from '../../services/operators/index.ts'
import { createSurveys, type SurveysRoom, surveysService } from '../../services/surveys/index.ts'
import type { ComposeInput } from '../instance.ts'
import type { Add, Engines, Shared } from '../shared.ts'

/** What operators define for clients to ask for. */
export interface Definitions {
  readonly flags: FlagsRoom
  readonly experiments: ExperimentsRoom
  readonly surveys: SurveysRoom
}

/** Feature flags, which ask analytics for persons, experiments on them, and surveys, whose answers it keeps. */
export async function openDefinitions(
  { settings }: Pick<ComposeInput, 'settings'>,
  { postgres: { reader, listen } }: Engines,
  {
    shared,
    consent,
    analytics,
  }: {
    readonly shared: Shared
    readonly consent: Consent
    readonly analytics: Pick<
      Analytics,
      | 'storedPerson'
      | 'somePersons'
      | 'groupTypes'
      | 'someGroups'
      | 'groupProperties'
      | 'surveyEvents'
      | 'experimentEvents'
      | 'personsByDistinctId'
      | 'personsByUserId'
    >
  },
): Promise<Definitions> {
  const people = { person: analytics.storedPerson, some: analytics.somePersons }
  const groups = { types: analytics.groupTypes, properties: analytics.groupProperties, some: analytics.someGroups }
  const flags = await createFlags({
    ...shared,
    ...{ reader, listen, people, groups, consent },
    settings: settings.flags,
  })
  const experiments = createExperiments({
    ...shared,
    ...{ reader, flags, events: analytics.experimentEvents, settings: settings.experiments },
    people: { byDistinctId: analytics.personsByDistinctId, byUserId: analytics.personsByUserId },
  })
  const events = analytics.surveyEvents
  const surveys = await createSurveys({ ...shared, listen, events, settings: settings.surveys })
  return { flags, experiments, surveys }
}

/** Flags, experiments, surveys and what browsers send, in the console and for clients. */
export function addDefinitions(
  add: Add,
  { flags, experiments, surveys, captureRules }: Definitions & { readonly captureRules: CaptureRules },
  actions: Operators['actions'],
): void {
  add(flagsService(flags, actions))
  add(experimentsService(experiments, actions))
  add(surveysService(surveys, actions))
  add(captureRulesService(captureRules, actions))
}
