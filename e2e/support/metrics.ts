/** The samples of one metric in Prometheus' text format. */
export interface Metric {
  readonly type: string
  readonly help: string
  /** Names of its samples, and of their labels. */
  readonly samples: ReadonlySet<string>
  readonly labels: ReadonlySet<string>
}

/** Reads Prometheus' text format: metrics by their names. */
export function parseMetrics(text: string): ReadonlyMap<string, Metric> {
  const metrics = new Map<string, { type: string; help: string; samples: Set<string>; labels: Set<string> }>()
  let current = ''
  const of = (name: string) => {
    const metric = metrics.get(name) ?? { type: 'untyped', help: '', samples: new Set(), labels: new Set() }
    metrics.set(name, metric)
    return metric
  }
  for (const line of text.split('\n')) {
    const [, about, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (about !== undefined) {
      current = name
      if (about === 'HELP') of(name).help = rest
      else of(name).type = rest
      continue
    }
    const [, sample, labels = ''] = /^([^\s{]+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (sample === undefined) continue
    const metric = of(current)
    metric.samples.add(sample)
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) metric.labels.add(label)
  }
  return metrics
}

const otherUnits =
  /_(ms|milliseconds|microseconds|minutes|hours|days|kb|kib|mb|mib|gb|gib|percent|kilobytes|megabytes)(_|$)/

/**
 * What is wrong with the name of a metric.
 *
 * @see https://prometheus.io/docs/practices/naming/
 */
export function lintMetric(name: string, { type, help }: Metric): readonly string[] {
  const isCounter = type === 'counter'
  return [
    ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : ['is not in lower case with underscores']),
    ...(help === '' ? ['has no help'] : []),
    ...(type === 'untyped' ? ['has no type'] : []),
    ...(isCounter === name.endsWith('_total') ? [] : ['does not end in _total as a counter, and only a counter, does']),
    ...(/_(count|sum|bucket)$/.test(name) ? ['ends as a part of a histogram does'] : []),
    ...(otherUnits.test(name) ? ['is not in base units: seconds, bytes, ratios'] : []),
    ...(/(^|_)(gauge|counter|histogram|metric)(_|$)/.test(name) ? ['names its type'] : []),
  ].map((problem) => `${name} ${problem}`)
}

/** Metrics and labels that an expression of PromQL asks for and that are not there. */
export function lintExpression(expression: string, metrics: ReadonlyMap<string, Metric>): readonly string[] {
  const owner = new Map([...metrics.values()].flatMap((metric) => [...metric.samples].map((name) => [name, metric])))
  const problems: string[] = []
  for (const [, name = '', selector = ''] of expression.matchAll(/\b((?:clew|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)) {
    const metric = owner.get(name)
    if (metric === undefined) {
      problems.push(`${name} is no metric`)
      continue
    }
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/))
    const selected = [...selector.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => label)
    for (const label of [...selected, ...grouped])
      if (!metric.labels.has(label) && !['job', 'instance'].includes(label))
        problems.push(`${name} has no label ${label}`)
  }
  return problems
}
