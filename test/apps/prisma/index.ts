/** The adapter for Prisma that was written for another library, as it is on npm. */
export { PrismaAdapter } from '@auth/prisma-adapter'
