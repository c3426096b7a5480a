import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import type { Instance, Operator, Overview } from '../../lib/api/schemas.ts'
import { buttonClasses } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { Firsts } from './firsts.tsx'

/** The source of the first traffic. */
export type Start = 'app' | 'sample'

interface ConnectProps {
  readonly operator: Operator
  readonly instance: Instance
  readonly overview: Overview
  readonly start: Start
  readonly onStart: (start: Start) => void
}

/** What to paste, or a sample to click through; at the side, the first data that arrived. */
export function ConnectView({ operator, instance, overview, start, onStart }: ConnectProps) {
  const own: Tab<Start> = { name: 'app', label: 'I have an app', panel: <OwnApp instance={instance} /> }
  const sample: readonly Tab<Start>[] = instance.exampleUrl
    ? [
        {
          name: 'sample',
          label: 'Try the sample',
          panel: <Sample url={instance.exampleUrl} isVisited={overview.firsts.recordingAt !== null} />,
        },
      ]
    : []
  return (
    <div className="grid gap-6">
      <header className="grid gap-1">
        <h1 className="font-semibold text-2xl">Welcome, {operator.name}</h1>
        <p className="text-ink-2">
          Your application keeps its clients; only their URL and key change. The first click then appears here at once.
        </p>
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)_280px] items-start gap-8 max-wide:grid-cols-1">
        <Tabs
          label="Where the first traffic comes from"
          tabs={[own, ...sample]}
          value={sample.length > 0 ? start : 'app'}
          onChange={onStart}
          className="[&>[role=tablist]]:px-0"
        />
        <Firsts overview={overview} />
      </div>
    </div>
  )
}

function OwnApp({ instance }: { readonly instance: Instance }) {
  const { supabase, posthog, ssr, html } = instance.snippets
  return (
    <ol className="grid gap-6 pt-5">
      {[supabase, posthog, ssr, html].map((snippet, index) => (
        <SnippetStep key={snippet.title} number={index + 1} snippet={snippet} />
      ))}
    </ol>
  )
}

function SnippetStep({ number, snippet }: { readonly number: number; readonly snippet: Instance['snippets']['html'] }) {
  return (
    <li className="grid gap-2">
      <h2 className="font-semibold">
        <span className="tabular mr-2 text-ink-2">{number}</span>
        {snippet.title}
      </h2>
      {snippet.install && <Code text={snippet.install} copyLabel="Copy the install command" />}
      <Code text={snippet.code} copyLabel={`Copy: ${snippet.title}`} />
    </li>
  )
}

function Sample({ url, isVisited }: { readonly url: string; readonly isVisited: boolean }) {
  return (
    <div className="grid gap-3 pt-5">
      <p className="max-w-[480px] text-ink-2">
        A small café, served by this instance, written with the same two clients. Sign up there, order something, and
        watch this page: each step of yours appears here, down to the row it changed.
      </p>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className={`${buttonClasses(isVisited ? 'plain' : 'primary', 'large')} justify-self-start`}
      >
        Open the café <ArrowUpRight aria-hidden="true" className="size-4" />
      </a>
      <p className="text-ink-2">
        It opens in a new tab. Its source is in <span className="mono">examples/cafe</span>.
      </p>
      <Link to="/" className="quiet-link justify-self-start">
        Skip to the console
      </Link>
    </div>
  )
}
