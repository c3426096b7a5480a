import { pathToFileURL } from 'node:url'

/** Shortens the stacks in a worker's words to what its author wrote: places from the project, no frames of the runtime. */
export function createStackCleaner(files: string, runtime: string): (text: string) => string {
  const filesUrl = `${pathToFileURL(files).href}/`
  const runtimeUrl = `${pathToFileURL(runtime).href}/`
  return (text) =>
    text
      .split('\n')
      .filter((line) => !(/^\s+at /.test(line) && (line.includes('ext:') || line.includes(runtimeUrl))))
      .join('\n')
      .replaceAll(filesUrl, '')
      .replaceAll(`${files}/`, '')
}
