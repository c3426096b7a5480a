/** The group whose type is the project's first. */
export const projectGroup = { $group_type: 'company', $group_key: 'acme', $group_set: { plan: 'enterprise' } }

/** The project's first cohort. */
export const projectCohort = {
  name: 'Pro, or in Lisbon',
  filters: {
    type: 'OR',
    values: [
      { key: 'plan', value: 'pro' },
      { type: 'AND', values: [{ key: 'city', value: 'Lisbon' }] },
    ],
  },
}

const survey = {
  ...{ description: '', type: 'popover', schedule: 'once', partialResponses: true, linkedFlagKey: null },
  questions: [
    { type: 'rating', id: 'score', question: 'Would you tell a friend?', display: 'number', scale: 10 },
    { type: 'single_choice', id: 'why', question: 'Why?', choices: ['Price', 'Taste'], hasOpenChoice: true },
    { type: 'open', id: 'more', question: 'Anything else?', optional: true },
  ],
  appearance: { backgroundColor: '#fff', displayThankYouMessage: true },
  conditions: { url: 'https://cafe.test/orders', urlMatchType: 'icontains', events: { values: [{ name: 'ordered' }] } },
}

/** The survey that runs, and another that does not. */
export const runningSurvey = { ...survey, name: 'After the order' }
export const draftedSurvey = { ...survey, name: 'Not yet' }

/** A project with other settings than the defaults, and without flags and surveys. */
export const otherSettings = {
  CLEW_ANALYTICS_ADDRESSES: 'shorten',
  CLEW_ANALYTICS_CONSENT: 'required',
  CLEW_ANALYTICS_EVENTS_PATH: '/own/',
  CLEW_ANALYTICS_RECORDINGS_PATH: '/film/',
  CLEW_ANALYTICS_CAPTURE_CLICKS: 'false',
  CLEW_ANALYTICS_CAPTURE_EXCEPTIONS: 'false',
  CLEW_ANALYTICS_CAPTURE_WEB_VITALS: 'false',
  CLEW_ANALYTICS_CAPTURE_DEAD_CLICKS: 'true',
  CLEW_ANALYTICS_CAPTURE_HEATMAPS: 'true',
  CLEW_ANALYTICS_RECORD_CONSOLE: 'false',
  CLEW_ANALYTICS_RECORD_NETWORK_HEADERS: 'false',
  CLEW_ANALYTICS_RECORD_NETWORK_BODIES: 'true',
  CLEW_ANALYTICS_RECORD_CANVAS: 'true',
  CLEW_ANALYTICS_RECORD_SAMPLE_RATE: '0.5',
  CLEW_ANALYTICS_RECORD_MINIMUM_MS: '5000',
  CLEW_ANALYTICS_RECORD_URL_TRIGGERS: '["/checkout"]',
  CLEW_ANALYTICS_RECORD_URL_BLOCKLIST: '["^https://x/admin"]',
  CLEW_ANALYTICS_RECORD_EVENT_TRIGGERS: '["ordered"]',
  CLEW_ANALYTICS_RECORD_LINKED_FLAG: 'beta',
  CLEW_ANALYTICS_RECORD_TRIGGER_MATCH: 'any',
  CLEW_ANALYTICS_RECORD_MASK_INPUTS: 'false',
  CLEW_ANALYTICS_RECORD_MASK_TEXT_SELECTOR: '.name',
  CLEW_ANALYTICS_RECORD_BLOCK_SELECTOR: '#card',
}

/** The id of who does what no case is about. */
export const bystander = 'bystander'
