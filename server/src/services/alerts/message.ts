import { subjectOf, type TeamNotice } from '../../engines/mail/index.ts'
import { escapeHtml } from '../../ground/text/escape-html.ts'
import type { NoticeKind } from './decide.ts'
import type { Rule, RuleId } from './rules.ts'

/** What is told of one alert. */
export interface Notice {
  readonly rule: RuleId
  readonly subject: string
  readonly kind: NoticeKind
  /** Null where it is endless. */
  readonly value: number | null
  readonly detail: string | null
  readonly at: Date
}

/** What an alert is called, in the words of its bad state. */
export const titles: Readonly<Record<RuleId, string>> = {
  component: 'A component is down',
  'error rate': 'Requests fail',
  duration: 'Requests are slow',
  'changes behind': 'Row changes are behind',
  disk: 'The disk fills up',
  budget: 'A budget is used up',
  backup: 'No recent backup is verified',
  certificate: 'The certificate ends soon',
  'failed jobs': 'Scheduled jobs fail',
}

const words: Readonly<Record<NoticeKind, string>> = { fired: 'Alert', still: 'Still', resolved: 'Resolved' }

/** A value with its unit: `12 %`, `340 ms`, `2.5 days`. */
function valueText(value: number | null, unit: Rule['unit']): string {
  if (unit === 'down') return value === 0 ? 'up' : 'down'
  if (value === null) return 'without end'
  if (unit === 'bytes') return `${(value / 1024 ** 2).toFixed(1)} MiB`
  const short = Number(value.toPrecision(3))
  return unit === 'percent' ? `${short} %` : `${short} ${unit}`
}

/**
 * What is said of some alerts, in a mail and as the body of a webhook.
 *
 * @param consoleUrl without a slash at its end
 */
export function renderNotices(
  notices: readonly Notice[],
  unitOf: (rule: RuleId) => Rule['unit'],
  { project, consoleUrl }: { readonly project: string; readonly consoleUrl: string },
): TeamNotice {
  const [first] = notices
  const subject = notices.length === 1 && first ? headOf(first) : `${notices.length} alerts`
  const heading = `${project}: ${subject}`
  const url = `${consoleUrl}/settings/alerts`
  const lines = notices.map((notice) => {
    const value = `${valueText(notice.value, unitOf(notice.rule))}, ${notice.at.toISOString()}`
    return [headOf(notice), value, notice.detail].filter((part) => part !== null)
  })
  return {
    mail: {
      subject: subjectOf(heading),
      text: [...lines.map((parts) => parts.join('\n')), url].join('\n\n'),
      html: [
        ...lines.map((parts) => `<p>${parts.map(escapeHtml).join('<br>')}</p>`),
        `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`,
      ].join('\n'),
      kind: 'alert',
    },
    body: JSON.stringify({
      type: 'alerts',
      // Chat services show it.
      text: [heading, ...lines.map((parts) => parts.join(' · ')), url].join('\n'),
      project,
      url,
      alerts: notices.map((notice) => ({ ...notice, title: titles[notice.rule], unit: unitOf(notice.rule) })),
    }),
  }
}

const headOf = ({ kind, rule, subject }: Notice): string =>
  `${words[kind]}: ${titles[rule]}${subject === '' ? '' : ` (${subject})`}`
