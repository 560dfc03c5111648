package dev.mailroom.admin.account;

import dev.mailroom.Refusal;
import dev.mailroom.account.Caller;
import dev.mailroom.account.Right;
import dev.mailroom.closure.AccountExport;
import dev.mailroom.http.CallerToken;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/** Serves what an account has as an archive to its owners, with an access token. */
@RestController
class AccountExportController {

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private static final MediaType ZIP = MediaType.parseMediaType("application/zip");

	private static final ContentDisposition ATTACHMENT = ContentDisposition.attachment()
		.filename("account.zip")
		.build();

	private final AccountExport export;

	AccountExportController(AccountExport export) {
		this.export = export;
	}

	@GetMapping("/export/account")
	Mono<ResponseEntity<Flux<DataBuffer>>> export(ServerWebExchange exchange) {
		return CallerToken.of(exchange)
			.filter((caller) -> caller.role() != Caller.Role.ENROLLING && caller.has(Right.ACCOUNT))
			.switchIfEmpty(Mono.error(() -> FORBIDDEN.because("Only an owner of the account exports it.")))
			.flatMap((caller) -> this.export.write(caller.scope()))
			.map((chunks) -> ResponseEntity.ok()
				.contentType(ZIP)
				.header(HttpHeaders.CONTENT_DISPOSITION, ATTACHMENT.toString())
				.body(chunks.map(DefaultDataBufferFactory.sharedInstance::wrap)));
	}

}
