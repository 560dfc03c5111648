package dev.mailroom.api.http;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/** Every field of every request body is accepted in snake case and in camel case. */
@WithApi
class FieldSpellingTest {

	private static final Pattern CAPITAL = Pattern.compile("([A-Z])");

	private static final Pattern UNDERSCORE = Pattern.compile("_([a-z0-9])");

	@Autowired
	JsonMapper json;

	@Autowired
	@Qualifier("requestMappingHandlerMapping")
	RequestMappingHandlerMapping routes;

	@Autowired
	Client client;

	@Autowired
	Person person;

	private UUID domain;

	private final String later = Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS).toString();

	@BeforeEach
	void connect() {
		this.domain = Given.domain(this.person.account());
	}

	@Test
	void everyFieldOfEveryBodyIsReadInBothSpellings() throws ReflectiveOperationException {
		Set<Class<?>> bodies = new LinkedHashSet<>();
		this.routes.getHandlerMethods()
			.values()
			.stream()
			.filter((handler) -> handler.getBeanType().getName().startsWith("dev.mailroom.api."))
			.map(HandlerMethod::getMethod)
			.flatMap(FieldSpellingTest::bodyTypes)
			.forEach((type) -> addRecords(bodies, type));
		assertThat(bodies).extracting(Class::getSimpleName)
			.contains("SendEmail", "File", "Reschedule", "CreateCampaign", "UpdateCampaign", "ScheduleCampaign",
					"SaveContact", "UpdateEndpoint", "ResetPassword");
		int fields = 0;
		for (Class<?> body : bodies) {
			for (RecordComponent field : body.getRecordComponents()) {
				for (String spelling : spellings(body, field)) {
					assertThat(read(body, field, spelling)).as(body.getSimpleName() + "." + spelling).isNotNull();
					fields++;
				}
			}
		}
		assertThat(fields).isGreaterThan(100);
	}

	@ParameterizedTest
	@ValueSource(strings = { "send_at", "sendAt", "scheduled_at", "scheduledAt" })
	void anEmailIsScheduledInEverySpelling(String field) {
		String id = string("$.id", send(HttpMethod.POST, key(), "/api/emails", email(field)));
		assertThat(scheduledAt(id)).startsWith(this.later.substring(0, 19));
		String moved = Instant.now().plus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS).toString();
		send(HttpMethod.PATCH, key(), "/api/emails/" + id, "{\"" + field + "\":\"" + moved + "\"}");
		assertThat(scheduledAt(id)).startsWith(moved.substring(0, 19));
	}

	@ParameterizedTest
	@ValueSource(strings = { "send_at", "sendAt", "scheduled_at", "scheduledAt" })
	void anEmailOfABatchIsScheduledInEverySpelling(String field) {
		String sent = send(HttpMethod.POST, key(), "/api/emails/batch", "[" + email(field) + "]");
		assertThat(scheduledAt(string("$.data[0].emailId", sent))).startsWith(this.later.substring(0, 19));
	}

	@ParameterizedTest
	@ValueSource(strings = { "send_at", "sendAt", "scheduled_at", "scheduledAt" })
	void aCampaignIsScheduledInEverySpelling(String field) {
		String token = this.person.token();
		String book = string("$.data.contactBook.id",
				send(HttpMethod.POST, token, "/api/contact-books", "{\"name\":\"Readers\"}"));
		String created = send(HttpMethod.POST, token, "/api/campaigns",
				"{\"name\":\"News\",\"from\":\"ann@%s.test\",\"subject\":\"Hi\",\"contactBookId\":\"%s\",\"textContent\":\"Hello\",\"%s\":\"%s\"}"
					.formatted(this.domain, book, field, this.later));
		assertThat(string("$.data.campaign.status", created)).isEqualTo("scheduled");
		assertThat(string("$.data.campaign.send_at", created)).startsWith(this.later.substring(0, 19));
	}

	private String email(String field) {
		return "{\"from\":\"ann@%s.test\",\"to\":\"bob@example.test\",\"subject\":\"Hi\",\"text\":\"Hello\",\"%s\":\"%s\"}"
			.formatted(this.domain, field, this.later);
	}

	private String scheduledAt(String emailId) {
		return string("$.scheduled_at", send(HttpMethod.GET, key(), "/api/emails/" + emailId, ""));
	}

	private String key() {
		return string("$.data.apiKey.key", send(HttpMethod.POST, this.person.token(), "/api/api-keys",
				"{\"keyName\":\"%s\",\"domainId\":\"%s\"}".formatted(UUID.randomUUID(), this.domain)));
	}

	private String send(HttpMethod method, String token, String path, String body) {
		return new String(this.client.send(method, token, path, body)
			.expectStatus()
			.is2xxSuccessful()
			.expectBody()
			.returnResult()
			.getResponseBodyContent(), StandardCharsets.UTF_8);
	}

	private static String string(String path, String json) {
		return JsonPath.read(json, path);
	}

	private @Nullable Object read(Class<?> body, RecordComponent field, String spelling)
			throws ReflectiveOperationException {
		Object read = this.json.readValue("{\"" + spelling + "\":" + sample(field.getGenericType()) + "}", body);
		Method accessor = field.getAccessor();
		accessor.setAccessible(true);
		return accessor.invoke(read);
	}

	private static String sample(Type type) {
		if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
			return "[" + sample(list.getActualTypeArguments()[0]) + "]";
		}
		if (type instanceof ParameterizedType) {
			return "{}";
		}
		Class<?> plain = (Class<?>) type;
		if (isBody(plain)) {
			return "{}";
		}
		if (plain == Boolean.class || plain == boolean.class) {
			return "true";
		}
		return Number.class.isAssignableFrom(plain) ? "1" : "\"00000000-0000-0000-0000-000000000000\"";
	}

	private static Set<String> spellings(Class<?> body, RecordComponent field) throws NoSuchFieldException {
		AnnotatedElement annotated = body.getDeclaredField(field.getName());
		@Nullable JsonAlias aliases = annotated.getAnnotation(JsonAlias.class);
		Set<String> spellings = new LinkedHashSet<>();
		Stream.concat(Stream.of(field.getName()), (aliases != null) ? Arrays.stream(aliases.value()) : Stream.empty())
			.forEach((name) -> {
				spellings.add(CAPITAL.matcher(name).replaceAll((it) -> "_" + it.group(1).toLowerCase(Locale.ROOT)));
				spellings.add(UNDERSCORE.matcher(name).replaceAll((it) -> it.group(1).toUpperCase(Locale.ROOT)));
			});
		return spellings;
	}

	private static Stream<Type> bodyTypes(Method method) {
		return Arrays.stream(method.getParameters())
			.filter((parameter) -> parameter.isAnnotationPresent(RequestBody.class))
			.map((parameter) -> parameter.getParameterizedType());
	}

	/** Adds the records in a type, with those in their components. */
	private static void addRecords(Set<Class<?>> records, Type type) {
		if (type instanceof ParameterizedType generic) {
			Arrays.stream(generic.getActualTypeArguments()).forEach((argument) -> addRecords(records, argument));
		}
		else if (type instanceof Class<?> plain && isBody(plain) && records.add(plain)) {
			Arrays.stream(plain.getRecordComponents())
				.forEach((component) -> addRecords(records, component.getGenericType()));
		}
	}

	private static boolean isBody(Class<?> type) {
		return type.isRecord() && type.getName().startsWith("dev.mailroom.api.");
	}

}
