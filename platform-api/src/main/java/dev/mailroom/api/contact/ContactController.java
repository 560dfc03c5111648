package dev.mailroom.api.contact;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.contact.Consent;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.ContactForm;
import dev.mailroom.contact.ContactIntake;
import dev.mailroom.contact.Contacts;
import dev.mailroom.contact.SaveCount;
import dev.mailroom.contact.Subscriptions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for the contacts of a book. */
@RestController
@RequestMapping("/contact-books/{book}/contacts")
class ContactController {

	private static final Consent.Origin API = Consent.Origin.of(Consent.Source.API);

	private final Contacts contacts;

	private final ContactIntake intake;

	private final Subscriptions subscriptions;

	private final Idempotent idempotent;

	private final JsonMapper json;

	ContactController(Contacts contacts, ContactIntake intake, Subscriptions subscriptions, Idempotent idempotent,
			JsonMapper json) {
		this.contacts = contacts;
		this.intake = intake;
		this.subscriptions = subscriptions;
		this.idempotent = idempotent;
		this.json = json;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> create(Scope scope, @PathVariable UUID book, @Nullable IdempotencyKey key,
			@RequestBody SaveContact body) {
		return this.idempotent.answer(scope, key, HttpStatus.CREATED,
				this.intake.create(scope, book, body.form(API)).map(ContactController::view));
	}

	@PostMapping("/bulk")
	Mono<ResponseEntity<Object>> bulk(Scope scope, @PathVariable UUID book, @Nullable IdempotencyKey key,
			@RequestParam(name = "consent_stated", defaultValue = "false") boolean consentStated,
			@RequestBody List<@Nullable SaveContact> body) {
		Consent.Origin origin = new Consent.Origin(Consent.Source.API, consentStated);
		List<@Nullable ContactForm> forms = body.stream()
			.<@Nullable ContactForm>map((contact) -> (contact != null) ? contact.form(origin) : null)
			.toList();
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				this.intake.bulk(scope, book, forms).map(BulkResult::of).map(Success::data));
	}

	@GetMapping
	Mono<Success> list(Scope scope, @PathVariable UUID book,
			@PageSize(defaultLimit = 50, maxLimit = 100, cursor = true) Page.Request page,
			@RequestParam(required = false) @Nullable String search) {
		Contact.Filter filter = Contact.Filter.of(search, null);
		return this.contacts.list(scope, book, filter, page)
			.map((listed) -> Success.list("contacts", listed.map(ContactView::of)));
	}

	@GetMapping("/{id}")
	Mono<Success> find(Scope scope, @PathVariable UUID book, @PathVariable UUID id) {
		return this.contacts.find(scope, book, id).map(ContactController::view);
	}

	@PatchMapping("/{id}")
	Mono<Success> change(Scope scope, @PathVariable UUID book, @PathVariable UUID id, @RequestBody UpdateContact body) {
		return this.contacts.change(scope, book, id, body.change(this.json)).map(ContactController::view);
	}

	@PutMapping("/{id}")
	Mono<ResponseEntity<Success>> put(Scope scope, @PathVariable UUID book, @PathVariable UUID id,
			@RequestBody SaveContact body) {
		return this.intake.put(scope, book, id, body.form(API))
			.map((saved) -> ResponseEntity.status(saved.added() ? HttpStatus.CREATED : HttpStatus.OK)
				.body(view(saved.contact())));
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID book, @PathVariable UUID id) {
		return this.contacts.delete(scope, book, id).thenReturn(Success.deleted(id));
	}

	@PostMapping("/{id}/confirmation")
	Mono<ResponseEntity<Object>> repeatConfirmation(Scope scope, @PathVariable UUID book, @PathVariable UUID id,
			@Nullable IdempotencyKey key) {
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				this.subscriptions.repeatMail(scope, book, id).map(ContactController::view));
	}

	private static Success view(Contact contact) {
		return Success.of("contact", ContactView.of(contact));
	}

	/**
	 * The body of POST and PUT, and an element of the bulk call: a contact to be added,
	 * or updated if its address is in the book.
	 */
	record SaveContact(@Nullable String email, @Nullable String firstName, @Nullable String lastName,
			@Nullable Boolean subscribed, @Nullable Map<String, @Nullable Object> properties,
			@Nullable Boolean resubscribe) {

		ContactForm form(Consent.Origin origin) {
			return new ContactForm(this.email, this.firstName, this.lastName, this.subscribed, this.properties,
					Boolean.TRUE.equals(this.resubscribe), origin);
		}

	}

	/**
	 * A contact in a response.
	 *
	 * @param evidence fields about the consent; null if the book required none
	 */
	record ContactView(UUID id, UUID contactBookId, String email, String firstName, String lastName, boolean subscribed,
			Map<String, @Nullable Object> properties, @JsonUnwrapped @Nullable Evidence evidence, Instant createdAt,
			Instant updatedAt) {

		static ContactView of(Contact contact) {
			return new ContactView(contact.id(), contact.contactBookId(), contact.email(), contact.firstName(),
					contact.lastName(), contact.subscribed(), contact.properties(), Evidence.of(contact.consent()),
					contact.createdAt(), contact.updatedAt());
		}

	}

	/** Evidence of a consent. */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Evidence(String consent, @Nullable String consentSource, @Nullable Instant consentAt, String consentIp,
			@Nullable Instant confirmedAt, String confirmedIp) {

		static @Nullable Evidence of(Consent consent) {
			Consent.@Nullable State state = consent.state();
			Consent.@Nullable Source source = consent.source();
			return (state == null) ? null
					: new Evidence(state.contractName(), (source != null) ? source.contractName() : null, consent.at(),
							consent.address(), consent.confirmedAt(), consent.confirmedAddress());
		}

	}

	/**
	 * The response to the bulk call.
	 *
	 * @param count number of contacts added
	 * @param updated number of contacts updated
	 */
	record BulkResult(String message, long count, long updated) {

		static BulkResult of(SaveCount saved) {
			return new BulkResult(saved.added() + " contacts added, " + saved.updated() + " updated", saved.added(),
					saved.updated());
		}

	}

}
