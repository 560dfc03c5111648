package dev.mailroom.template;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.errorName;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class TemplateTest {

	private static final Page.Request FIRST_PAGE = new Page.Request(1, 50);

	@Autowired
	Templates templates;

	private final Scope scope = Scope.of(Given.account("free"));

	@Test
	void aCreatedTemplateHasTheRequestedFieldsAndItsVariables() {
		Template created = await(
				this.templates.create(this.scope, new Template.Form(" Welcome ", "Hi {{name}}", "<p>{{x}}</p>", "")));
		assertThat(created.name()).isEqualTo("Welcome");
		assertThat(created.textContent()).isNull();
		assertThat(created.variables()).containsExactly("name", "x");
		Template stored = await(this.templates.find(this.scope, created.id()));
		assertThat(stored.form()).isEqualTo(created.form());
		assertThat(stored.content().render(Map.of("name", "Ann")).missing()).containsExactly("x");
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "-,s,h,t,name", "'  ',s,h,t,name", "'a\nb',s,h,t,name", "n,s,-,-,html_content",
					"n,s,'','',html_content", "n,{{s,h,t,subject", "n,'a\nb',h,t,subject", "n,s,{{h,t,html_content",
					"n,s,h,{{t,text_content", "n,s,'a\0b',t,html_content" })
	void anInvalidFieldIsNamedInTheRefusal(String name, String subject, String html, String text, String field) {
		assertThat(awaitRefusal("Invalid request data",
				this.templates.create(this.scope, new Template.Form(name, subject, html, text)))
			.details()).extracting(Refusal.Detail::field).containsExactly(field);
	}

	@Test
	void lengthsAndTheNumberOfVariablesAreLimited() {
		awaitRefusal("Invalid request data", this.templates.create(this.scope, form("n".repeat(201))));
		awaitRefusal("Invalid request data",
				this.templates.create(this.scope, new Template.Form("n", null, null, "x".repeat(256 * 1024 + 1))));
		awaitRefusal("Invalid request data",
				this.templates.create(this.scope, new Template.Form("n", null, null, variables(201))));
		assertThat(await(this.templates.create(this.scope,
				new Template.Form("n".repeat(200), null, "x".repeat(256 * 1024), variables(200))))
			.variables()).hasSize(200);
	}

	@Test
	void exactlyOneOfManyConcurrentTemplatesWithOneNameIsCreated() {
		List<String> results = await(Flux.range(0, 12)
			.flatMap((_) -> errorName(this.templates.create(this.scope, form("Same"))), 12)
			.collectList());
		assertThat(results).containsOnlyOnce("ok").hasSize(12).containsOnly("ok", "Duplicate name");
		assertThat(await(this.templates.create(Scope.of(Given.account("free")), form("Same"))).name())
			.isEqualTo("Same");
	}

	@Test
	void aDraftChangesTheTemplateWhenItIsPublished() {
		UUID id = await(this.templates.create(this.scope, form("Drafted"))).id();
		await(this.templates.saveDraft(this.scope, id,
				(before) -> new Template.Form("Renamed", "s", before.htmlContent(), before.textContent()), null));
		await(this.templates.saveDraft(this.scope, id,
				(before) -> new Template.Form(before.name(), before.subject(), "<p>{{x}}", before.textContent()),
				null));
		assertThat(await(this.templates.find(this.scope, id)).form()).isEqualTo(form("Drafted"));
		assertThat(await(this.templates.versions(this.scope, id))).extracting(TemplateVersion::number)
			.containsExactly(null, 1);
		Template published = await(this.templates.publish(this.scope, id));
		assertThat(published.form()).isEqualTo(new Template.Form("Renamed", "s", "<p>{{x}}", "Hello {{name}}"));
		assertThat(published.variables()).containsExactly("x", "name");
		assertThat(await(this.templates.publish(this.scope, id)).updatedAt()).isEqualTo(published.updatedAt());
		List<TemplateVersion> history = await(this.templates.versions(this.scope, id));
		assertThat(history).extracting(TemplateVersion::number).containsExactly(2, 1);
		assertThat(history).extracting(TemplateVersion::memberId).containsOnly(this.scope.account());
		assertThat(await(this.templates.version(this.scope, id, 1)).form()).isEqualTo(form("Drafted"));
	}

	@Test
	void aDraftIsCheckedAndCanBeDiscarded() {
		UUID id = await(this.templates.create(this.scope, form("Kept"))).id();
		UUID other = await(this.templates.create(this.scope, form("Other"))).id();
		awaitRefusal("Invalid request data", this.templates.saveDraft(this.scope, id,
				(before) -> new Template.Form(before.name(), "{{", null, "x"), null));
		await(this.templates.saveDraft(this.scope, id, (_) -> form("Other"), null));
		awaitRefusal("Duplicate name", this.templates.publish(this.scope, id));
		await(this.templates.discardDraft(this.scope, id));
		assertThat(isEmpty(this.templates.version(this.scope, id, null))).isTrue();
		assertThat(await(this.templates.publish(this.scope, id)).name()).isEqualTo("Kept");
		Scope stranger = Scope.of(Given.account("free"));
		awaitRefusal("Template not found", this.templates.saveDraft(stranger, other, (before) -> before, null));
		awaitRefusal("Template not found", this.templates.publish(stranger, other));
		awaitRefusal("Template not found", this.templates.discardDraft(stranger, other));
		assertThat(await(this.templates.versions(stranger, other))).isEmpty();
		assertThat(isEmpty(this.templates.version(stranger, other, 1))).isTrue();
	}

	@Test
	void theNewestFiftyContentsAreKept() {
		UUID id = await(this.templates.create(this.scope, form("Old"))).id();
		Given.run("delete from template_version where template_id = '%s'", id);
		for (int i = 0; i < 51; i++) {
			String text = "x" + i;
			await(this.templates.update(this.scope, id,
					(before) -> new Template.Form(before.name(), null, null, text)));
		}
		await(this.templates.update(this.scope, id,
				(before) -> new Template.Form("New", null, null, before.textContent())));
		List<TemplateVersion> history = await(this.templates.versions(this.scope, id));
		assertThat(history).hasSize(50).extracting(TemplateVersion::number).startsWith(52).endsWith(3);
		assertThat(await(this.templates.version(this.scope, id, 52)).form().textContent()).isEqualTo("x50");
		assertThat(isEmpty(this.templates.version(this.scope, id, 2))).isTrue();
	}

	@Test
	void aChangeKeepsOtherFieldsAndIsValidated() {
		UUID id = await(this.templates.create(this.scope, form("One"))).id();
		await(this.templates.create(this.scope, form("Two")));
		Template changed = await(this.templates.update(this.scope, id,
				(before) -> new Template.Form(before.name(), "{{s}}", "<p>", before.textContent())));
		assertThat(changed.textContent()).isEqualTo("Hello {{name}}");
		assertThat(changed.variables()).containsExactly("s", "name");
		assertThat(changed.updatedAt()).isAfter(changed.createdAt());
		awaitRefusal("Duplicate name", this.templates.update(this.scope, id, (_) -> form("Two")));
		awaitRefusal("Invalid request data",
				this.templates.update(this.scope, id, (before) -> new Template.Form(before.name(), null, null, null)));
		awaitRefusal("Template not found", this.templates.update(this.scope, UUID.randomUUID(), (before) -> before));
	}

	@Test
	void templatesAreListedNewestFirst() {
		UUID first = await(this.templates.create(this.scope, form("One"))).id();
		UUID second = await(this.templates.create(this.scope, form("Two"))).id();
		assertThat(await(this.templates.list(this.scope, FIRST_PAGE)).items()).extracting(Template::id)
			.containsExactly(second, first);
	}

	@Test
	void aSearchMatchesNamesAndSubjectsLiterallyAndRegardlessOfCase() {
		await(this.templates.create(this.scope, form("Welcome 100%")));
		await(this.templates.create(this.scope, new Template.Form("Receipt", "Your ORDER", null, "x")));
		assertThat(search("welcome")).containsExactly("Welcome 100%");
		assertThat(search("%")).containsExactly("Welcome 100%");
		assertThat(search("order")).containsExactly("Receipt");
		assertThat(search("\0")).isEmpty();
		assertThat(search(" ")).containsExactly("Receipt", "Welcome 100%");
	}

	private List<String> search(String text) {
		return await(this.templates.read(this.scope, text, FIRST_PAGE)).stream().map(Template::name).toList();
	}

	@Test
	void anotherAccountsTemplateIsNotFound() {
		UUID id = await(this.templates.create(this.scope, form("One"))).id();
		Scope other = Scope.of(Given.account("free"));
		assertThat(await(this.templates.list(other, FIRST_PAGE)).total()).isZero();
		awaitRefusal("Template not found", this.templates.find(other, id));
		awaitRefusal("Template not found", this.templates.update(other, id, (before) -> before));
		awaitRefusal("Template not found", this.templates.delete(other, id));
		awaitRefusal("Template not found",
				this.templates.contents(other, List.of(id)).map((contents) -> contents.of(id)));
		assertThat(await(this.templates.contents(this.scope, List.of(id))).of(id).variables()).containsExactly("name");
	}

	@Test
	void aDeletedTemplateIsNotFound() {
		UUID id = await(this.templates.create(this.scope, form("One"))).id();
		assertThat(isEmpty(this.templates.delete(this.scope, id))).isTrue();
		awaitRefusal("Template not found", this.templates.delete(this.scope, id));
		awaitRefusal("Template not found", this.templates.find(this.scope, id));
	}

	private static Template.Form form(String name) {
		return new Template.Form(name, null, null, "Hello {{name}}");
	}

	private static String variables(int count) {
		return IntStream.range(0, count).mapToObj("{{v%d}}"::formatted).collect(Collectors.joining());
	}

}
