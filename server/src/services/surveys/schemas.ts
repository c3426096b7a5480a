import Type, { type Static, type TSchema } from 'typebox'

const text = Type.String({ maxLength: 2_000 })
const closed = { additionalProperties: false }

/** What comes after a question, where that is not the next one; questions are counted from zero. */
const Branching = Type.Object(
  {
    type: Type.Enum(['end', 'specific_question', 'response_based']),
    index: Type.Optional(Type.Integer()),
    responseValues: Type.Optional(
      Type.Record(Type.String({ maxLength: 20 }), Type.Union([Type.Integer(), Type.Literal('end')]), {
        description: 'By the number of a choice, or by detractors, passives, promoters, negative, neutral and positive',
      }),
    ),
  },
  closed,
)
export type Branching = Static<typeof Branching>

/** A question, in PostHog's form. What each type needs of the optional members, `questions.ts` checks. */
export const Question = Type.Object(
  {
    type: Type.Enum(['open', 'link', 'rating', 'single_choice', 'multiple_choice']),
    id: Type.String({ minLength: 1, maxLength: 100 }),
    question: Type.String({ minLength: 1, maxLength: 2_000 }),
    description: Type.Optional(text),
    optional: Type.Optional(Type.Boolean()),
    buttonText: Type.Optional(text),
    link: Type.Optional(text),
    display: Type.Optional(Type.Enum(['number', 'emoji'])),
    scale: Type.Optional(Type.Integer()),
    lowerBoundLabel: Type.Optional(text),
    upperBoundLabel: Type.Optional(text),
    choices: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { minItems: 1, maxItems: 50, uniqueItems: true }),
    ),
    hasOpenChoice: Type.Optional(Type.Boolean()),
    shuffleOptions: Type.Optional(Type.Boolean()),
    branching: Type.Optional(Branching),
  },
  closed,
)
export type Question = Static<typeof Question>

const Conditions = Type.Object(
  {
    url: Type.Optional(text),
    urlMatchType: Type.Optional(Type.Enum(['regex', 'not_regex', 'exact', 'is_not', 'icontains', 'not_icontains'])),
    selector: Type.Optional(text),
    seenSurveyWaitPeriodInDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
    events: Type.Optional(
      Type.Object(
        {
          repeatedActivation: Type.Optional(Type.Boolean()),
          values: Type.Array(Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) }, closed), {
            maxItems: 50,
          }),
        },
        closed,
      ),
    ),
  },
  closed,
)

const named = <Schema extends TSchema>(schema: Schema, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(schema)]))

/** Colours, texts and places that posthog-js knows; others are left out. */
const Appearance = Type.Object(
  {
    ...named(Type.String({ maxLength: 500 }), [
      ...['backgroundColor', 'borderColor', 'textColor', 'textSubtleColor', 'inputBackground', 'inputTextColor'],
      ...[
        'submitButtonColor',
        'submitButtonText',
        'submitButtonTextColor',
        'ratingButtonColor',
        'ratingButtonActiveColor',
      ],
      ...['borderRadius', 'boxPadding', 'boxShadow', 'fontFamily', 'maxWidth', 'zIndex', 'disabledButtonOpacity'],
      ...['placeholder', 'position', 'tabPosition', 'widgetType', 'widgetSelector', 'widgetLabel', 'widgetColor'],
      ...['thankYouMessageHeader', 'thankYouMessageDescription', 'thankYouMessageCloseButtonText'],
    ]),
    ...named(Type.Boolean(), [
      ...['displayThankYouMessage', 'autoDisappear', 'shuffleQuestions', 'whiteLabel', 'hideCancelButton'],
    ]),
    surveyPopupDelaySeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
  },
  closed,
)

/** What an operator says of a survey. */
export const SurveyBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: text,
    type: Type.Enum(['popover', 'widget', 'api']),
    questions: Type.Array(Question, { minItems: 1, maxItems: 50 }),
    appearance: Appearance,
    conditions: Conditions,
    linkedFlagKey: Type.Union([Type.String({ minLength: 1, maxLength: 400 }), Type.Null()]),
    schedule: Type.Enum(['once', 'always']),
    partialResponses: Type.Boolean(),
  },
  closed,
)
export type SurveyBody = Static<typeof SurveyBody>

const Instant = Type.String({ format: 'date-time' })

/** A survey in the console; a state is what its dates say. */
export const SurveySchema = Type.Object({
  ...SurveyBody.properties,
  id: Type.String({ format: 'uuid' }),
  version: Type.Integer(),
  state: Type.Enum(['draft', 'running', 'ended']),
  startDate: Type.Union([Instant, Type.Null()]),
  endDate: Type.Union([Instant, Type.Null()]),
  updatedAt: Instant,
  updatedBy: Type.String(),
})
export type SurveySchema = Static<typeof SurveySchema>

/** What people answered: how often it was shown, answered and dismissed, and each question's answers. */
export const SurveyResults = Type.Object({
  shown: Type.Integer(),
  answered: Type.Integer(),
  dismissed: Type.Integer(),
  /** How many of the newest answers the questions are counted over. */
  counted: Type.Integer(),
  questions: Type.Array(
    Type.Object({
      id: Type.String(),
      question: Type.String(),
      type: Type.String(),
      /** How often each choice or rating was given, most often first; empty for open questions. */
      counts: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() })),
      /** The newest texts; null for those who must not read them. */
      texts: Type.Union([
        Type.Array(
          Type.Object({
            text: Type.String(),
            distinctId: Type.String(),
            sessionId: Type.Union([Type.String(), Type.Null()]),
            at: Instant,
          }),
        ),
        Type.Null(),
      ]),
      /** Of a rating to ten: promoters less detractors, in hundredths; null for others. */
      nps: Type.Union([Type.Integer(), Type.Null()]),
    }),
  ),
})
export type SurveyResults = Static<typeof SurveyResults>
