import type { AnalyticsCase, Stored } from './case.ts'
import { analyticsCases } from './index.ts'
import { ruleOf, sections } from './sections.ts'

const made = '<!-- Made by `npm run generate` from the cases in `server/test/cases/analytics`. -->'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Requests and their forms as code; the project's token and its secret key as the protocol's page writes them. */
const asCode = (text: string): string => `\`\` ${cell(text.replaceAll(/~([TKV])/g, '$1'))} \`\``

const requestsOf = ({ calls }: AnalyticsCase): string =>
  calls.map(({ request, form }) => asCode(form === undefined ? request : `${request} (${form})`)).join('<br>')

const statusesOf = ({ calls }: AnalyticsCase): string => calls.map(({ status = 200 }) => status).join('<br>')

const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

const storedBy = ({ events = [], messages = [], persons = [], groups = [] }: Stored = {}): string =>
  [
    ...counted(events.length, 'event', 'events'),
    ...counted(messages.length, 'message', 'messages'),
    ...counted(persons.length, 'person', 'persons'),
    ...counted(groups.length, 'group', 'groups'),
  ].join(', ')

const line = (one: AnalyticsCase): string =>
  `| ${cell(ruleOf(one).words)} | ${requestsOf(one)} | ${statusesOf(one)} | ${storedBy(one.stored)} |`

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')

/** What the endpoints of analytics do as PostHog's do, section by section; every line is a case that runs on both engines. */
export function analyticsCompatibilityReference(): string {
  const chapters = [...sections].map(([section, title]) => ({
    heading: `${section} ${title}`,
    cases: analyticsCases.filter((one) => ruleOf(one).section === section),
  }))
  const contents = chapters.map(({ heading, cases }) => `| [${heading}](#${anchorOf(heading)}) | ${cases.length} |`)
  const bodies = chapters.map(
    ({ heading, cases }) =>
      `## ${heading}\n\n| rule | request | status | stored |\n|---|---|---|---|\n${cases.map(line).join('\n')}\n`,
  )
  return `${made}

# Analytics: compatible with PostHog

What \`/ingest\` answers and stores, by the sections of [its protocol](../protocols/analytics.md). Every line is a case
that runs against the whole product, on a real PostgreSQL and a real ClickHouse, with every change: statuses, bodies and headers
are checked, and the rows that the case left in both. \`T\` is the project's token, \`V\` the version of posthog-js whose scripts
are served. What no case shows is not claimed.

| section | cases |
|---|---|
${contents.join('\n')}
| all | ${analyticsCases.length} |

${bodies.join('\n')}`
}
