import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { accepted, request } from '../app/graphql';
import {
  CreateTemplateDocument,
  DeleteTemplateDocument,
  DiscardTemplateDraftDocument,
  PublishTemplateDocument,
  SaveTemplateDraftDocument,
  SendTemplateTestDocument,
  TemplateDocument,
  TemplateDraftDocument,
  TemplatesDocument,
  TemplateVersionDocument,
  type CreateTemplateInput,
  type SendTemplateTestInput,
  type TemplateDraftInput,
  type TemplateDraftQuery,
  type TemplateQuery,
  type TemplateVersionQuery,
  type TemplatesQueryVariables,
} from '../gen/graphql';
import { placed } from '../words/errors';

export type TemplateDetail = NonNullable<TemplateQuery['viewer']>['template'];
export type Version = TemplateDetail['versions'][number];
export type VersionContent = NonNullable<NonNullable<TemplateVersionQuery['viewer']>['template']['version']>;
export type TemplateCheck = NonNullable<TemplateDraftQuery['viewer']>['templateDraft'];
export type Problem = TemplateCheck['problems'][number];

export const templatesQuery = (filters: TemplatesQueryVariables) =>
  queryOptions({
    queryKey: ['template', 'list', filters],
    queryFn: async () => (await request(TemplatesDocument, filters)).viewer!.templates,
    placeholderData: keepPreviousData,
  });

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['template', 'one', id],
    queryFn: async () => (await request(TemplateDocument, { id })).viewer!.template,
  });

/** The content of a version; null if it is not kept any more. */
export const versionQuery = (id: string, number: number) =>
  queryOptions({
    queryKey: ['template', 'version', id, number],
    queryFn: async () =>
      (await request(TemplateVersionDocument, { id, number })).viewer!.template.version ?? null,
    staleTime: Infinity,
  });

/** The check and the rendered form of what is in the editor. */
export const draftQuery = (input: TemplateDraftInput) =>
  queryOptions({
    queryKey: ['template', 'draft', input],
    queryFn: async () => (await request(TemplateDraftDocument, { input })).viewer!.templateDraft,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
  });

async function changed(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['template', 'list'] });
}

/** Creates a template, or saves a draft of the one with the id. The result is its id. */
export async function saveTemplate(
  client: QueryClient,
  id: string | undefined,
  input: CreateTemplateInput,
): Promise<string> {
  try {
    if (id === undefined) {
      const { template } = accepted((await request(CreateTemplateDocument, { input })).createTemplate);
      await changed(client);
      return template!.id;
    }
    const { template } = accepted(
      (await request(SaveTemplateDraftDocument, { input: { id, ...input } })).saveTemplateDraft,
    );
    client.setQueryData(templateQuery(id).queryKey, template!);
    await changed(client);
    return id;
  } catch (error) {
    throw placed(error, 'duplicate_name', 'name');
  }
}

/** Makes the draft of a template its content. */
export async function publishTemplate(client: QueryClient, id: string): Promise<void> {
  try {
    const { template } = accepted((await request(PublishTemplateDocument, { id })).publishTemplate);
    client.setQueryData(templateQuery(id).queryKey, template!);
    await changed(client);
  } catch (error) {
    throw placed(error, 'duplicate_name', 'name');
  }
}

/** Discards the draft of a template; the result is the template as it is published. */
export async function discardDraft(client: QueryClient, id: string): Promise<TemplateDetail> {
  const { template } = accepted((await request(DiscardTemplateDraftDocument, { id })).discardTemplateDraft);
  client.setQueryData(templateQuery(id).queryKey, template!);
  return template!;
}

export async function deleteTemplate(client: QueryClient, id: string): Promise<void> {
  accepted((await request(DeleteTemplateDocument, { id })).deleteTemplate);
  client.removeQueries({ queryKey: templateQuery(id).queryKey });
  void changed(client);
}

/** Sends a rendered template; the result is the id of the mail. */
export async function sendTest(client: QueryClient, input: SendTemplateTestInput): Promise<string> {
  const { email } = accepted((await request(SendTemplateTestDocument, { input })).sendTemplateTest);
  void client.invalidateQueries({ queryKey: ['email', 'list'] });
  void client.invalidateQueries({ queryKey: ['account'] });
  return email!.id;
}
