import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useRecent } from '../app/open';
import { Box } from '../kit/basics';
import { Failed, Loading, Page, Refused } from '../kit/page';
import { useRights } from '../kit/rights';
import { Editor } from './editor';
import { templateQuery } from './queries';

/** Id in the path of a template that is not created yet. */
const NEW = 'new';

export function TemplatePage() {
  const { id } = useParams({ from: '/shell/templates/$id' });
  const template = useQuery({ ...templateQuery(id), enabled: id !== NEW });
  useRecent(template.data?.name, `/templates/${id}`);
  const { refusal } = useRights();
  if (id === NEW && refusal('TEMPLATES'))
    return (
      <Page title="New template" up={{ to: '/templates', text: 'Templates' }}>
        <Box>
          <Refused right="TEMPLATES" />
        </Box>
      </Page>
    );
  if (id === NEW) return <Editor key={NEW} template={undefined} />;
  if (!template.data) {
    return (
      <Page title="Template" up={{ to: '/templates', text: 'Templates' }}>
        <Box>
          {template.error ? (
            <Failed error={template.error} retry={() => void template.refetch()} />
          ) : (
            <Loading lines={6} />
          )}
        </Box>
      </Page>
    );
  }
  return <Editor key={id} template={template.data} />;
}
