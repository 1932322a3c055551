// As the guide says, for a session of another type.
declare namespace App {
  interface Locals {
    auth(): Promise<import('lib-auth').SessionOf<typeof import('./typed').auth> | null>
  }
}
