package dev.mailroom.admin.template;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.email.SentMails;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.check.ContentFinding;
import dev.mailroom.mail.accept.TestSends;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.template.BlockDocuments;
import dev.mailroom.template.Content;
import dev.mailroom.template.Template;
import dev.mailroom.template.TemplateDraft;
import dev.mailroom.template.TemplateProblem;
import dev.mailroom.template.TemplateVersion;
import dev.mailroom.template.Templates;
import dev.mailroom.template.Variables;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.ArgumentValue;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Templates. */
@Controller
class TemplateResolver {

	/** Subject of a test if the template has none. */
	private static final String DEFAULT_SUBJECT = "Test";

	private final Templates templates;

	private final TestSends sends;

	private final SentMails sent;

	private final ContentFindings findings;

	private final BlockDocuments blocks;

	TemplateResolver(Templates templates, TestSends sends, SentMails sent, ContentFindings findings,
			BlockDocuments blocks) {
		this.templates = templates;
		this.sends = sends;
		this.sent = sent;
		this.findings = findings;
		this.blocks = blocks;
	}

	@SchemaMapping
	Mono<Connection<Template>> templates(Viewer viewer, PageArguments page, @Argument @Nullable String search) {
		return Connection.byPosition(page, (request) -> this.templates.read(viewer.scope(), search, request));
	}

	@SchemaMapping
	Mono<Template> template(Viewer viewer, @Argument UUID id) {
		return this.templates.find(viewer.scope(), id);
	}

	@SchemaMapping
	ViewerDraft templateDraft(Viewer viewer, @Argument TemplateDraftInput input) {
		Template.Form form = new Template.Form(null, input.subject(), input.htmlContent(), input.textContent());
		return ViewerDraft.of(viewer.scope(), form, TemplateDraft.of(form, input.variables()));
	}

	@SchemaMapping
	Content.Rendered rendered(Template template, @Argument @Nullable Map<String, @Nullable Object> variables) {
		return template.content().render(Variables.read(variables));
	}

	@SchemaMapping
	Mono<List<ContentFinding>> findings(Template template) {
		return this.findings.of(Scope.of(template.accountId()), false, template.subject(), template.htmlContent(),
				template.textContent());
	}

	@SchemaMapping
	Mono<Map<String, Object>> blocks(Template template) {
		return this.blocks.find(Scope.of(template.accountId()), BlockDocuments.Owner.TEMPLATE, template.id(),
				template.htmlContent());
	}

	@SchemaMapping
	Mono<TemplateVersion.Stored> draft(Template template) {
		return this.templates.version(Scope.of(template.accountId()), template.id(), null);
	}

	@SchemaMapping
	Mono<TemplateVersion.Stored> version(Template template, @Argument int number) {
		return this.templates.version(Scope.of(template.accountId()), template.id(), number);
	}

	@SchemaMapping
	Mono<List<TemplateVersion>> versions(Template template) {
		return this.templates.versions(Scope.of(template.accountId()), template.id());
	}

	@SchemaMapping(typeName = "TemplateContent")
	@Nullable Map<String, Object> blocks(TemplateVersion.Stored version) {
		return this.blocks.of(version);
	}

	@SchemaMapping(typeName = "TemplateDraft")
	Mono<List<ContentFinding>> findings(ViewerDraft draft) {
		Template.Form form = draft.form();
		return this.findings.of(draft.scope(), false, form.subject(), form.htmlContent(), form.textContent());
	}

	@MutationMapping
	Mono<Map<String, Object>> createTemplate(Scope scope, @Argument CreateTemplateInput input) {
		return Payload.of("template", saved(scope, input.blocks(), this.templates.create(scope, input.form())));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateTemplate(Scope scope, @Argument UpdateTemplateInput input) {
		return Payload.of("template",
				saved(scope, input.blocks(), this.templates.update(scope, input.id(), input::applyTo)));
	}

	/** The saved template, with the blocks from which its HTML was written. */
	private Mono<Template> saved(Scope scope, @Nullable Map<String, Object> document, Mono<Template> template) {
		return Mono.fromRunnable(() -> this.blocks.check(document))
			.then(template)
			.delayUntil((it) -> (document == null) ? Mono.empty()
					: this.blocks.save(scope, BlockDocuments.Owner.TEMPLATE, it.id(), document, it.htmlContent()));
	}

	@MutationMapping
	Mono<Map<String, Object>> saveTemplateDraft(Scope scope, @Argument UpdateTemplateInput input) {
		return Payload.of("template", Mono.fromRunnable(() -> this.blocks.check(input.blocks()))
			.then(Mono.defer(() -> this.templates.saveDraft(scope, input.id(), input::applyTo, input.blocks()))));
	}

	@MutationMapping
	Mono<Map<String, Object>> publishTemplate(Scope scope, @Argument UUID id) {
		return Payload.of("template", this.templates.publish(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> discardTemplateDraft(Scope scope, @Argument UUID id) {
		return Payload.of("template", this.templates.discardDraft(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteTemplate(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.templates.delete(scope, id).thenReturn(id));
	}

	@MutationMapping
	Mono<Map<String, Object>> sendTemplateTest(Scope scope, @Argument SendTemplateTestInput input) {
		return this.sent.payload(scope,
				content(scope, input).map((content) -> content.render(Variables.read(input.variables())))
					.flatMap((rendered) -> this.sends.send(scope, input.submission(rendered), null)));
	}

	/** The content that a test sends. */
	private Mono<Content> content(Scope scope, SendTemplateTestInput input) {
		Mono<Content> published = this.templates.find(scope, input.id()).map(Template::content);
		return Boolean.TRUE.equals(input.draft()) ? this.templates.version(scope, input.id(), null)
			.map(TemplateVersion.Stored::content)
			.switchIfEmpty(published) : published;
	}

	/** Checked content with the account whose images it may show. */
	record ViewerDraft(Scope scope, Template.Form form, List<TemplateProblem> problems, List<String> variables,
			Content.@Nullable Rendered rendered) {

		static ViewerDraft of(Scope scope, Template.Form form, TemplateDraft draft) {
			return new ViewerDraft(scope, form, draft.problems(), draft.variables(), draft.rendered());
		}

	}

	/** Content that is not saved. */
	record TemplateDraftInput(@Nullable String subject, @Nullable String htmlContent, @Nullable String textContent,
			@Nullable Map<String, @Nullable Object> variables) {
	}

	/** A template to create. */
	record CreateTemplateInput(String name, @Nullable String subject, @Nullable String htmlContent,
			@Nullable String textContent, @Nullable Map<String, Object> blocks) {

		Template.Form form() {
			return new Template.Form(this.name, this.subject, this.htmlContent, this.textContent);
		}

	}

	/** Changes of a template. An absent field stays, null removes it. */
	record UpdateTemplateInput(UUID id, ArgumentValue<String> name, ArgumentValue<String> subject,
			ArgumentValue<String> htmlContent, ArgumentValue<String> textContent,
			@Nullable Map<String, Object> blocks) {

		Template.Form applyTo(Template.Form before) {
			return new Template.Form(changed(this.name, before.name()), changed(this.subject, before.subject()),
					changed(this.htmlContent, before.htmlContent()), changed(this.textContent, before.textContent()));
		}

		private static @Nullable String changed(ArgumentValue<String> change, @Nullable String before) {
			return change.isOmitted() ? before : change.value();
		}

	}

	/** A test of a template. */
	record SendTemplateTestInput(UUID id, List<@Nullable String> to, @Nullable String from,
			@Nullable Map<String, @Nullable Object> variables, @Nullable Boolean draft) {

		Submission submission(Content.Rendered rendered) {
			@Nullable String subject = rendered.subject();
			return Submission.of(this.from, this.to,
					MailContent.of((subject == null || subject.isBlank()) ? DEFAULT_SUBJECT : subject, rendered.html(),
							rendered.text()));
		}

	}

}
