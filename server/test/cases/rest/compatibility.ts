import type { RestCase } from './case.ts'
import { edgeCases } from './edge.ts'
import { restCases } from './index.ts'
import { ruleOf, sections } from './sections.ts'

const made = '<!-- Made by `npm run generate` from the cases in `server/test/cases/rest`. -->'

const all = [...restCases, ...edgeCases]

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** A case's request as code; two backticks, so that it may hold one. */
const asCode = (text: string): string => `\`\` ${cell(text)} \`\``

const line = (one: RestCase): string => `| ${cell(ruleOf(one).words)} | ${asCode(one.request)} | ${one.status} |`

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')

/** What the REST service does as PostgREST does, section by section; every line is a case that runs on PostgreSQL. */
export function compatibilityReference(): string {
  const chapters = [...sections].flatMap(([section, title]) => {
    const cases = all.filter((one) => ruleOf(one).section === section)
    return cases.length === 0 ? [] : [{ section, heading: `${section} ${title}`, cases }]
  })
  const contents = chapters.map(({ heading, cases }) => `| [${heading}](#${anchorOf(heading)}) | ${cases.length} |`)
  const bodies = chapters.map(
    ({ heading, cases }) =>
      `## ${heading}\n\n| rule | request | status |\n|---|---|---|\n${cases.map(line).join('\n')}\n`,
  )
  return `${made}

# REST: compatible with PostgREST

What \`/rest/v1\` answers, by the sections of [its protocol](../protocols/rest.md) (PostgREST 16). Every line is a case that runs on a real
PostgreSQL with every change; status, body and headers are checked. What no case shows is not claimed.

| section | cases |
|---|---|
${contents.join('\n')}
| all | ${all.length} |

${bodies.join('\n')}`
}
