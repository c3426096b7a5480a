/** The numbers of one worker, in Prometheus' text format. */
export interface WorkerMetrics {
  readonly number: number
  readonly text: string
}

/** A metric with what describes it, and its samples. */
interface Family {
  readonly about: string[]
  readonly samples: string[]
}

/** The numbers of all workers as one text: each sample gets the label `worker`, and each metric is described once. */
export function joinMetrics(all: readonly WorkerMetrics[]): string {
  const families = new Map<string, Family>()
  const familyOf = (name: string): Family => {
    const family = families.get(name) ?? { about: [], samples: [] }
    families.set(name, family)
    return family
  }
  for (const { number, text } of all) {
    let current = ''
    for (const line of text.split('\n')) {
      const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1]
      if (name !== undefined) {
        current = name
        const { about } = familyOf(name)
        if (!about.includes(line)) about.push(line)
      } else if (line !== '') familyOf(current).samples.push(labelled(line, number))
    }
  }
  return [...families.values()].flatMap(({ about, samples }) => [...about, ...samples, '']).join('\n')
}

/** `name{a="b"} 1` and `name 1`, with the label before the others. */
function labelled(sample: string, number: number): string {
  const [, name = '', labels, rest = ''] = /^([^\s{]+)(?:\{(.*)\})?(\s.*)$/.exec(sample) ?? []
  const own = `worker="${number}"`
  return `${name}{${labels === undefined || labels === '' ? own : `${own},${labels}`}}${rest}`
}
