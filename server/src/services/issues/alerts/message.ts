import { subjectOf, type TeamNotice } from '../../../engines/mail/index.ts'
import { escapeHtml } from '../../../ground/text/escape-html.ts'

/** An issue that was made, or opened again. */
export interface Alert {
  readonly issueId: string
  readonly kind: 'created' | 'reopened'
  readonly title: string
  readonly culprit: string
  readonly release: string | null
  readonly at: Date
}

const listed = 20

/** @param consoleUrl without a slash at its end */
export function renderAlerts(alerts: readonly Alert[], project: string, consoleUrl: string): TeamNotice {
  const shown = alerts.slice(0, listed)
  const more = alerts.length - shown.length
  const [first] = alerts
  const subject = alerts.length === 1 && first ? `${wordOf(first)}: ${first.title}` : `${alerts.length} errors`
  const rest = more > 0 ? `and ${more} more: ${consoleUrl}/errors` : ''
  const urlOf = ({ issueId }: Alert): string => `${consoleUrl}/errors/${issueId}`
  const lines = shown.map((alert) => `${wordOf(alert)}: ${alert.title}\n${placeOf(alert)}\n${urlOf(alert)}`)
  const items = shown.map(
    (alert) =>
      `<p>${escapeHtml(wordOf(alert))}: <a href="${escapeHtml(urlOf(alert))}">${escapeHtml(alert.title)}</a><br>` +
      `${escapeHtml(placeOf(alert))}</p>`,
  )
  const heading = `${project}: ${subject}`
  return {
    mail: {
      subject: subjectOf(heading),
      text: [...lines, rest].filter((part) => part !== '').join('\n\n'),
      html: [...items, ...(rest === '' ? [] : [`<p>${escapeHtml(rest)}</p>`])].join('\n'),
      kind: 'error_alert',
    },
    body: JSON.stringify({
      type: 'errors',
      // Chat services show it.
      text: [heading, ...shown.map((alert) => `${wordOf(alert)}: ${alert.title} ${urlOf(alert)}`), rest]
        .filter((part) => part !== '')
        .join('\n'),
      project,
      count: alerts.length,
      errors: shown.map((alert) => ({ ...alert, url: urlOf(alert) })),
    }),
  }
}

const wordOf = ({ kind }: Alert): string => (kind === 'created' ? 'New error' : 'Error that came back')

const placeOf = ({ culprit, release }: Alert): string => (release === null ? culprit : `${culprit}, release ${release}`)
