export { Mailroom, type Result } from './client.js';
export * from './errors.js';
export type * from './gen/events.js';
export type * from './gen/types.js';
export type {
  AnalyticsMetricsQuery,
  AnalyticsReputationQuery,
  CampaignsListQuery,
  CampaignsSeriesQuery,
  ContactsImportCsvQuery,
  ContactsListQuery,
  ContactsSaveAllQuery,
  EmailsListQuery,
  EmailsSendMimeQuery,
  EventsListQuery,
  InboundListQuery,
  SuppressionsListQuery,
} from './gen/groups.js';
export type { FollowOptions, NewEmail, Rejected, Sent, WaitOptions } from './groups.js';
export { List, type CallOptions, type ClientOptions, type Page } from './transport.js';
export * from './webhooks.js';
