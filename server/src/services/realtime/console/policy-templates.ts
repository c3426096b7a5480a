import type { RealtimeTemplate } from './schemas.ts'

interface Template {
  readonly id: string
  readonly title: string
  readonly render: (topic: Topic) => string
}

/** The topic of a template's policies, in the forms that their SQL takes. */
interface Topic {
  /** A part of an identifier between double quotes. */
  readonly name: string
  /** What holds in the channels of the topic; empty for all channels. */
  readonly holds: string
  /** What stands before a user's id in the topics of users, an SQL literal. */
  readonly userPrefix: string
}

const templates: readonly Template[] = [
  {
    id: 'hear',
    title: 'Signed-in users receive messages',
    render: ({ name, holds }) => `create policy "signed-in users receive in ${name}"
  on realtime.messages for select to authenticated
  using (extension = 'broadcast'${holds});`,
  },
  {
    id: 'speak',
    title: 'Signed-in users send messages',
    render: ({ name, holds }) => `create policy "signed-in users send in ${name}"
  on realtime.messages for insert to authenticated
  with check (extension = 'broadcast'${holds});`,
  },
  {
    id: 'presence',
    title: 'Signed-in users see who is present, and are seen',
    render: ({ name, holds }) => `create policy "signed-in users see presence in ${name}"
  on realtime.messages for select to authenticated
  using (extension = 'presence'${holds});

create policy "signed-in users are present in ${name}"
  on realtime.messages for insert to authenticated
  with check (extension = 'presence'${holds});`,
  },
  {
    id: 'everyone-hears',
    title: 'Everyone receives messages, signed in or not',
    render: ({ name, holds }) => `create policy "everyone receives in ${name}"
  on realtime.messages for select to anon, authenticated
  using (extension = 'broadcast'${holds});`,
  },
  {
    id: 'own-topic',
    title: 'Each user has a topic, named by the user’s id',
    render: ({ name, userPrefix }) => `create policy "users receive in their own topic of ${name}"
  on realtime.messages for select to authenticated
  using ((select realtime.topic()) = ${userPrefix} || (select auth.uid()::text));

create policy "users send in their own topic of ${name}"
  on realtime.messages for insert to authenticated
  with check ((select realtime.topic()) = ${userPrefix} || (select auth.uid()::text));`,
  },
]

/**
 * The policies that most private channels need, as SQL.
 *
 * @param topic a channel's name; one that ends with an asterisk stands for all that begin so
 */
export function renderTemplates(topic: string): readonly RealtimeTemplate[] {
  const forms = formsOf(topic)
  return templates.map(({ id, title, render }) => ({ id, title, sql: render(forms) }))
}

function formsOf(topic: string): Topic {
  const isPrefix = topic.endsWith('*')
  const prefix = isPrefix ? topic.slice(0, -1) : topic
  const named = '(select realtime.topic())'
  const holds = isPrefix ? `starts_with(${named}, ${literal(prefix)})` : `${named} = ${literal(topic)}`
  return {
    // The database cuts a name at its 63rd byte: what tells these apart stands before.
    name: topic.replaceAll('"', '""'),
    holds: topic === '*' ? '' : `\n    and ${holds}`,
    userPrefix: literal(isPrefix ? prefix : `${topic}:`),
  }
}

/** A backslash is written so that it means itself, whatever the session's settings. */
const literal = (text: string): string =>
  text.includes('\\') ? `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : `'${text.replaceAll("'", "''")}'`
