import { type Difference, differences } from './differences.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const line = ({ subject, supabase, clew, instead }: Difference): string =>
  `| ${cell(subject)} | ${cell(supabase)} | ${cell(clew)} | ${cell(instead ?? '')} |`

/** The page of differences; every line is proved against the running product. */
export function differencesReference(): string {
  const chapters = differences.map(
    ({ title, differences: lines }) =>
      `## ${title}\n\n| | Supabase | Clew | instead |\n|---|---|---|---|\n${lines.map(line).join('\n')}\n`,
  )
  return `<!-- Made by \`npm run generate\` from \`e2e/differences\`. -->

# What differs from Supabase

What a project written for Supabase finds otherwise here. Every line is proved against the running product with every change,
and leaves this page when it is no difference any more. For REST the opposite is listed, too: [what is compatible, rule by
rule](rest-compatibility.md).

${chapters.join('\n')}`
}
