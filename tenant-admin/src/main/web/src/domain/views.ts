/** The views of a domain, which are tabs. */
export const names = {
  records: 'Records and settings',
  authentication: 'Authentication',
  readiness: 'Readiness',
  providers: 'Providers',
  tracking: 'Tracking domains',
  routes: 'Routes',
};

export type Tab = keyof typeof names;
