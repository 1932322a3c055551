/** Name of the environment variable from which `setEnvDefaults` and `Lib` take a setting of a provider. */
export function variableOf(id: string, setting: 'ID' | 'SECRET'): string {
  return `AUTH_${id.toUpperCase().replaceAll(/\W/g, '_')}_${setting}`
}
