import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useRecent } from '../app/open';
import { Box } from '../kit/basics';
import { Failed, Loading, Page } from '../kit/page';
import { Editor } from './editor';
import { templateQuery } from './queries';

/** Id in the path of a template that is not created yet. */
const NEW = 'new';

export function TemplatePage() {
  const { id } = useParams({ from: '/shell/templates/$id' });
  const template = useQuery({ ...templateQuery(id), enabled: id !== NEW });
  useRecent(template.data?.name, `/templates/${id}`);
  if (id === NEW) return <Editor key={NEW} template={undefined} />;
  if (!template.data) {
    return <Page title="Template" up={{ to: '/templates', text: 'Templates' }}><Box>{template.error ? <Failed error={template.error} retry={() => void template.refetch()} /> : <Loading lines={6} />}</Box></Page>;
  }
  return <Editor key={id} template={template.data} />;
}
