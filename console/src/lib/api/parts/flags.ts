import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from '../client.ts'

/** The requests of flags, cohorts, experiments and surveys. */
export const flagsApi = {
  flags: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/flags', cancel(options)))).flags,
  flag: (key: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/flags/{key}', { params: { path: { key } }, ...cancel(options) })),
  createFlag: (body: BodyOf<'createFlag'>) => bodyOf(client.POST('/console/api/flags', { body })),
  changeFlag: (key: string, body: BodyOf<'changeFlag'>) =>
    bodyOf(client.PUT('/console/api/flags/{key}', { params: { path: { key } }, body })),
  archiveFlag: (key: string) => bodyOf(client.DELETE('/console/api/flags/{key}', { params: { path: { key } } })),
  archivedFlags: (text: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/archived-flags', { params: { query: { text } }, ...cancel(options) })),
  restoreFlag: (id: number) =>
    bodyOf(client.POST('/console/api/archived-flags/{id}/restore', { params: { path: { id } } })),
  flagChanges: (key: string, query: QueryOf<'flagChanges'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/flags/{key}/changes', { params: { path: { key }, query }, ...cancel(options) })),
  estimateFlag: (key: string, body: BodyOf<'estimateFlag'>, options?: Cancel) =>
    bodyOf(client.POST('/console/api/flags/{key}/estimate', { params: { path: { key } }, body, ...cancel(options) })),
  evaluateFlag: (key: string, body: BodyOf<'evaluateFlag'>) =>
    bodyOf(client.POST('/console/api/flags/{key}/evaluate', { params: { path: { key } }, body })),
  flagOverrides: async (key: string, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/flags/{key}/overrides', { params: { path: { key } }, ...cancel(options) })))
      .overrides,
  overrideFlag: (key: string, body: BodyOf<'overrideFlag'>) =>
    bodyOf(client.PUT('/console/api/flags/{key}/overrides', { params: { path: { key } }, body })),
  groupTypes: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/groups', cancel(options)))).types,
  cohorts: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/cohorts', cancel(options)))).cohorts,
  createCohort: (body: BodyOf<'createCohort'>) => bodyOf(client.POST('/console/api/cohorts', { body })),
  changeCohort: (id: number, body: BodyOf<'changeCohort'>) =>
    bodyOf(client.PUT('/console/api/cohorts/{id}', { params: { path: { id } }, body })),
  deleteCohort: (id: number) => bodyOf(client.DELETE('/console/api/cohorts/{id}', { params: { path: { id } } })),
  estimateCohort: (body: BodyOf<'estimateCohort'>, options?: Cancel) =>
    bodyOf(client.POST('/console/api/cohorts/estimate', { body, ...cancel(options) })),
  cohortMembers: (id: number, query: QueryOf<'cohortMembers'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/cohorts/{id}/members', { params: { path: { id }, query }, ...cancel(options) })),
  addCohortMembers: (id: number, distinctIds: string[]) =>
    bodyOf(client.POST('/console/api/cohorts/{id}/members', { params: { path: { id } }, body: { distinctIds } })),
  removeCohortMembers: (id: number, distinctIds: string[]) =>
    bodyOf(
      client.POST('/console/api/cohorts/{id}/members/remove', { params: { path: { id } }, body: { distinctIds } }),
    ),
  experiments: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/experiments', cancel(options)))).experiments,
  experiment: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/experiments/{id}', { params: { path: { id } }, ...cancel(options) })),
  experimentResult: async (id: string, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/experiments/{id}/result', { params: { path: { id } }, ...cancel(options) })))
      .result,
  createExperiment: (body: BodyOf<'createExperiment'>) => bodyOf(client.POST('/console/api/experiments', { body })),
  changeExperiment: (id: string, body: BodyOf<'changeExperiment'>) =>
    bodyOf(client.PUT('/console/api/experiments/{id}', { params: { path: { id } }, body })),
  runExperiment: (id: string, running: boolean) =>
    bodyOf(client.PUT('/console/api/experiments/{id}/running', { params: { path: { id } }, body: { running } })),
  concludeExperiment: (id: string, body: BodyOf<'concludeExperiment'>) =>
    bodyOf(client.PUT('/console/api/experiments/{id}/conclusion', { params: { path: { id } }, body })),
  archiveExperiment: (id: string) =>
    bodyOf(client.DELETE('/console/api/experiments/{id}', { params: { path: { id } } })),
  surveys: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/surveys', cancel(options)))).surveys,
  survey: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/surveys/{id}', { params: { path: { id } }, ...cancel(options) })),
  createSurvey: (body: BodyOf<'createSurvey'>) => bodyOf(client.POST('/console/api/surveys', { body })),
  changeSurvey: (id: string, body: BodyOf<'changeSurvey'>) =>
    bodyOf(client.PUT('/console/api/surveys/{id}', { params: { path: { id } }, body })),
  runSurvey: (id: string, running: boolean) =>
    bodyOf(client.PUT('/console/api/surveys/{id}/running', { params: { path: { id } }, body: { running } })),
  archiveSurvey: (id: string) => bodyOf(client.DELETE('/console/api/surveys/{id}', { params: { path: { id } } })),
  surveyResults: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/surveys/{id}/results', { params: { path: { id } }, ...cancel(options) })),
}
