import { type AnalyticsCase, capture, event, ok } from './case.ts'

const page = { $session_id: '~ses', $window_id: '~win', $current_url: 'https://a.test/cart', $lib: 'web' }
const chain =
  'button.primary.wide:attr__class="primary wide"attr_id="pay"nth-child="1"nth-of-type="1"text="Pay \\"now\\"";form:nth-child="2"nth-of-type="1"'
const frame = {
  platform: 'web:javascript',
  filename: 'https://a.test/app.js',
  function: 'pay',
  lineno: 7,
  colno: 3,
  in_app: true,
}
const exception = {
  $exception_list: [
    {
      ...{
        type: 'TypeError',
        value: 'x is undefined',
        mechanism: { handled: false, synthetic: false, type: 'generic' },
      },
      stacktrace: { type: 'raw', frames: [frame] },
    },
  ],
  $exception_level: 'error',
}

/** Each event of the catalogue with its own properties, which are stored as they were sent. */
const catalogueEvents: readonly (readonly [name: string, properties: object])[] = [
  [
    '$pageview',
    { title: 'Cart', navigation_type: 'pushState', $prev_pageview_pathname: '/', $prev_pageview_duration: 2.5 },
  ],
  ['$pageleave', { $prev_pageview_max_scroll: 100, $prev_pageview_max_content_percentage: 0.5 }],
  ['$autocapture', { $event_type: 'click', $ce_version: 1, $elements_chain: chain, $el_text: 'Pay "now"' }],
  ['$copy_autocapture', { $selected_content: 'text', $copy_type: 'copy' }],
  ['$rageclick', { $event_type: 'click', $elements_chain: chain }],
  ['$dead_click', { $elements: [{ tag_name: 'a', nth_child: 1 }], $dead_click_absolute_timeout: true }],
  ['$$heatmap', { $heatmap_data: { 'https://a.test/': [{ x: 1, y: 2, target_fixed: false, type: 'click' }] } }],
  [
    '$web_vitals',
    { $web_vitals_LCP_value: 812.5, $web_vitals_LCP_event: { name: 'LCP', value: 812.5, rating: 'good' } },
  ],
  ['$exception', exception],
  ['$exception', { $exception_type: 'Error', $exception_message: 'old', $exception_stack_trace_raw: '[]' }],
  ['$feature_flag_called', { $feature_flag: 'beta', $feature_flag_response: true, locally_evaluated: false }],
  ['$feature_enrollment_update', { $feature_flag: 'beta', $feature_enrollment: true }],
  ['survey shown', { $survey_id: 'one', $survey_name: 'One' }],
  ['survey dismissed', { $survey_id: 'one', $survey_partially_completed: false }],
  [
    'survey sent',
    { $survey_id: 'one', $survey_submission_id: '~sub', $survey_response_q1: 'Yes', $survey_completed: true },
  ],
  ['survey abandoned', { $survey_id: 'one' }],
  ['$ai_generation', { $ai_model: 'm', $ai_input_tokens: 7 }],
  ['$csp_violation', { $csp_document_url: 'https://a.test/' }],
  ['$$client_ingestion_warning', { $$client_ingestion_warning_message: 'too many' }],
  ['$bot_pageview', { $is_bot: true }],
]

/** Every event that the SDKs send (analytics §3, event catalogue). */
export const catalogue: readonly AnalyticsCase[] = [
  ...catalogueEvents.map(([name, own], index) => ({
    rule: `3.3 ${name}${name === '$exception' && index === 9 ? ' of older SDKs' : ''} is stored with what it says`,
    calls: [{ ...capture(event({ ...page, ...own }, { event: name })), text: ok }],
    stored: { events: [{ event: name, session_id: '~ses', window_id: '~win', pathname: '/cart', properties: own }] },
  })),
  {
    rule: '3.3 the elements of a click are stored in a column of their own',
    calls: [capture(event({ $elements_chain: chain }, { event: '$autocapture' }))],
    stored: { events: [{ elements_chain: chain }] },
  },
  {
    rule: '3.3 $feature_enrollment_update sets the person’s property',
    calls: [
      capture(
        event(
          { $feature_flag: 'beta', $feature_enrollment: true, $set: { '$feature_enrollment/beta': true } },
          { event: '$feature_enrollment_update' },
        ),
      ),
    ],
    stored: { events: [{}], persons: [{ ids: ['~ada'], properties: { '$feature_enrollment/beta': true } }] },
  },
  {
    rule: '3.3 survey sent sets the person’s property',
    calls: [capture(event({ $survey_id: 'one' }, { event: 'survey sent', $set: { '$survey_responded/one': true } }))],
    stored: { events: [{}], persons: [{ ids: ['~ada'], properties: { '$survey_responded/one': true } }] },
  },
  {
    rule: '3.3 $snapshot in a batch of events is a recording message',
    calls: [
      {
        ...capture(
          event(
            {
              ...{ $session_id: '~ses', $window_id: '~win' },
              $snapshot_data: [{ type: 4, data: { href: 'https://a.test/' }, timestamp: 1_767_323_045_000 }],
            },
            { event: '$snapshot' },
          ),
        ),
        text: ok,
      },
    ],
    stored: { messages: [{ uuid: '~uuid', session_id: '~ses', window_id: '~win' }] },
  },
]
