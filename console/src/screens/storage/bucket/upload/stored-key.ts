/**
 * The key of a file whose name no object may have: accents are left out, and each other character that is not allowed
 * becomes a hyphen (storage §4).
 *
 * @param folder where it is put, with its slash
 * @param path   the file's name, with the folders it lies in
 */
export function storedKey(folder: string, path: string): string {
  const plain = path
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_/!.*'() &$@=;:+,?-]/gu, '-')
  const segments = plain.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  return `${folder}${segments.join('/')}`
}
