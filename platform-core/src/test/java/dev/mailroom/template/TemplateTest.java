package dev.mailroom.template;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class TemplateTest {

	private static final Duration DEADLINE = Duration.ofSeconds(30);

	private static final Page.Request FIRST = new Page.Request(1, 50);

	@Autowired
	Templates templates;

	private final Scope scope = Scope.of(Given.account("free"));

	@Test
	void whatIsKeptIsWhatWasAskedForWithItsVariables() {
		Template made = await(
				this.templates.create(this.scope, new Template.Asked(" Welcome ", "Hi {{name}}", "<p>{{x}}</p>", "")));
		assertThat(made.name()).isEqualTo("Welcome");
		assertThat(made.textContent()).isNull();
		assertThat(made.variables()).containsExactly("name", "x");
		Template found = await(this.templates.find(this.scope, made.id()));
		assertThat(found.asked()).isEqualTo(made.asked());
		assertThat(found.content().render(Map.of("name", "Ann")).missing()).containsExactly("x");
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "-,s,h,t,name", "'  ',s,h,t,name", "'a\nb',s,h,t,name", "n,s,-,-,html_content",
					"n,s,'','',html_content", "n,{{s,h,t,subject", "n,'a\nb',h,t,subject", "n,s,{{h,t,html_content",
					"n,s,h,{{t,text_content", "n,s,'a\0b',t,html_content" })
	void whatIsWrongIsRefusedWithItsField(String name, String subject, String html, String text, String field) {
		StepVerifier.create(this.templates.create(this.scope, new Template.Asked(name, subject, html, text)))
			.expectErrorSatisfies((error) -> {
				assertThat(((Refused) error).refusal()).isEqualTo(Refusal.invalid("Invalid request data"));
				assertThat(((Refused) error).details()).extracting(Refusal.Detail::field).containsExactly(field);
			})
			.verify(DEADLINE);
	}

	@Test
	void whatIsTooLongIsRefused() {
		refused("Invalid request data", this.templates.create(this.scope, asked("n".repeat(201))));
		refused("Invalid request data",
				this.templates.create(this.scope, new Template.Asked("n", null, null, "x".repeat(256 * 1024 + 1))));
		StringBuilder many = new StringBuilder();
		for (int i = 0; i <= 200; i++) {
			many.append("{{v").append(i).append("}}");
		}
		refused("Invalid request data",
				this.templates.create(this.scope, new Template.Asked("n", null, null, many.toString())));
	}

	@Test
	void ofManyWithOneNameAtOnceOneWins() {
		List<String> outcomes = Flux.range(0, 12)
			.flatMap((_) -> this.templates.create(this.scope, asked("Same"))
				.map((_) -> "made")
				.onErrorResume(Refused.class, (refused) -> Mono.just(refused.refusal().error())), 12)
			.collectList()
			.block(DEADLINE);
		assertThat(outcomes).filteredOn("made"::equals).hasSize(1);
		assertThat(outcomes).filteredOn("Duplicate name"::equals).hasSize(11);
		await(this.templates.create(Scope.of(Given.account("free")), asked("Same")));
	}

	@Test
	void aChangeKeepsTheRestAndTheRules() {
		UUID id = await(this.templates.create(this.scope, asked("One"))).id();
		await(this.templates.create(this.scope, asked("Two")));
		Template changed = await(this.templates.update(this.scope, id,
				(it) -> new Template.Asked(it.name(), "{{s}}", "<p>", it.textContent())));
		assertThat(changed.textContent()).isEqualTo("Hello {{name}}");
		assertThat(changed.variables()).containsExactly("s", "name");
		assertThat(changed.updatedAt()).isAfter(changed.createdAt());
		refused("Duplicate name", this.templates.update(this.scope, id, (_) -> asked("Two")));
		refused("Invalid request data",
				this.templates.update(this.scope, id, (it) -> new Template.Asked(it.name(), null, null, null)));
		refused("Template not found", this.templates.update(this.scope, UUID.randomUUID(), (it) -> it));
	}

	@Test
	void aStrangerFindsNothing() {
		UUID first = await(this.templates.create(this.scope, asked("One"))).id();
		UUID second = await(this.templates.create(this.scope, asked("Two"))).id();
		assertThat(await(this.templates.list(this.scope, FIRST)).items()).extracting(Template::id)
			.containsExactly(second, first);
		Scope stranger = Scope.of(Given.account("free"));
		assertThat(await(this.templates.list(stranger, FIRST)).total()).isZero();
		refused("Template not found", this.templates.find(stranger, first));
		refused("Template not found", this.templates.update(stranger, first, (it) -> it));
		refused("Template not found", this.templates.delete(stranger, first));
		refused("Template not found", this.templates.contents(stranger, List.of(first)).map((it) -> it.of(first)));
		await(this.templates.delete(this.scope, first).thenReturn(true));
		refused("Template not found", this.templates.delete(this.scope, first));
	}

	private static Template.Asked asked(String name) {
		return new Template.Asked(name, null, null, "Hello {{name}}");
	}

	private static void refused(String error, Mono<?> work) {
		StepVerifier.create(work)
			.expectErrorMatches((it) -> it instanceof Refused refused && refused.refusal().error().equals(error))
			.verify(DEADLINE);
	}

}
