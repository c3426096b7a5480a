import type { Answer, Schemas } from './answer.ts'

/** A feature flag as a list shows it. */
export type FlagSummary = Schemas['FlagSummary']

/** A feature flag. */
export type Flag = Answer<'flag'>

/** A flag that is no longer used. */
export type ArchivedFlag = Schemas['ArchivedFlag']

/** Who gets a flag, in PostHog's form. */
export type FlagFilters = Flag['filters']

/** One change of a flag. */
export type FlagChange = Schemas['FlagChange']

/** A set of persons under one name. */
export type Cohort = Schemas['Cohort']

/** What is measured of a flag's variants, and when. */
export type Experiment = Answer<'experiment'>

/** What is counted of each person. */
export type ExperimentMetric = Experiment['metrics'][number]

/** What an experiment came to. */
export type ExperimentResult = Schemas['ExperimentResult']

/** What people are asked, and when. */
export type Survey = Answer<'survey'>

/** One question of a survey, in PostHog's form. */
export type SurveyQuestion = Survey['questions'][number]

/** What people answered. */
export type SurveyResults = Answer<'surveyResults'>
