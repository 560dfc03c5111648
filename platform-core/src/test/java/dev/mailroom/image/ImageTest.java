package dev.mailroom.image;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;

import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.blob.Blobs;
import dev.mailroom.domain.AskingTestDns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ImageTest extends AskingTestDns {

	private static final String PNG = "\u0089PNG\r\n\u001a\n";

	@Autowired
	Images images;

	@Autowired
	Blobs blobs;

	private final Scope scope = Scope.of(Given.account("free"));

	private final Scope other = Scope.of(Given.account("free"));

	@ParameterizedTest
	@CsvSource({ "89504e470d0a1a0a, image/png", "ffd8ffe0, image/jpeg", "474946383761, image/gif",
			"474946383961, image/gif", "524946463031323357454250, image/webp", "3c7376672f3e,", "52494646303132334156,",
			"4749463839,", "''," })
	void theTypeIsFoundInTheFirstBytes(String hexadecimal, String type) {
		byte[] bytes = HexFormat.of().parseHex(hexadecimal);
		assertThat(Picture.of(bytes).map(Picture::type).orElse(null)).isEqualTo(type);
	}

	@Test
	void anImageIsReadByItsAccountUntilItIsDeleted() {
		Image image = upload("a.png", PNG + "x");
		assertThat(image).extracting(Image::name, Image::type, Image::size).containsExactly("a.png", "image/png", 9);
		assertThat(await(this.images.content(this.scope, image.id())).content()).hasSize(9);
		assertThat(isEmpty(this.images.content(this.other, image.id()))).isTrue();
		Image second = upload("b.gif", "GIF89a");
		assertThat(await(this.images.read(this.scope, page()))).containsExactly(second, image);
		assertThat(await(this.images.read(this.other, page()))).isEmpty();
		assertThat(await(this.images.sizes(this.scope))).containsOnly(Map.entry(image.id(), 9),
				Map.entry(second.id(), 6));
		awaitRefusal("Not found", this.images.delete(this.other, image.id()));
		await(this.images.delete(this.scope, image.id()));
		assertThat(isEmpty(this.images.content(this.scope, image.id()))).isTrue();
		awaitRefusal("Not found", this.images.delete(this.scope, image.id()));
	}

	@Test
	void aLargeImageIsInTheBucketUntilItIsDeletedWithOrWithoutItsAccount() {
		Image first = upload("a.png", PNG + "x".repeat(100_000));
		Image second = upload("b.png", PNG + "y".repeat(100_000));
		assertThat(await(this.images.content(this.scope, first.id())).content()).hasSize(100_008);
		assertThat(BUCKET.keys(this.scope.account())).hasSize(2);
		await(this.images.delete(this.scope, first.id()));
		this.blobs.sweep();
		assertThat(BUCKET.keys(this.scope.account())).hasSize(1)
			.allMatch((key) -> key.contains(second.id().toString()));
		Given.run("delete from account where id = '%s'", this.scope.account());
		this.blobs.sweep();
		assertThat(BUCKET.keys(this.scope.account())).isEmpty();
	}

	@Test
	void anAccountHasRoomForAThousandImagesAndAHundredMegabytes() {
		Given.run(
				"insert into image (id, account_id, name, type, size, content, created_at) select gen_random_uuid(), "
						+ "'%s', 'x', 'image/png', 100000, '', now() from generate_series(1, 999)",
				this.scope.account());
		upload("a.png", PNG);
		awaitRefusal("Invalid request data", this.images.upload(this.scope, "b.png", base64(PNG)));
		Given
			.run("delete from image where account_id = '%s' and name = 'x'; insert into image (id, account_id, name, type, "
					+ "size, content, created_at) values (gen_random_uuid(), '%1$s', 'x', 'image/png', %2$s, '', now())",
					this.scope.account(), Images.MAX_TOTAL - 20);
		awaitRefusal("Invalid request data", this.images.upload(this.scope, "b.png", base64(PNG + "12345")));
		upload("c.png", PNG + "1234");
	}

	@Test
	void anAccountWhoseAddressIsNotVerifiedStoresNoImage() {
		Given.run("update account set email_verified_at = null where id = '%s'", this.scope.account());
		awaitRefusal("Email not verified", this.images.upload(this.scope, "a.png", base64(PNG)));
	}

	@Test
	void anInvalidFieldIsRefused() {
		assertThat(refused("", base64(PNG))).isEqualTo("name");
		assertThat(refused("a\nb", base64(PNG))).isEqualTo("name");
		assertThat(refused("a", "%%%")).isEqualTo("content");
		assertThat(refused("a", base64("<svg/>"))).isEqualTo("content");
		assertThat(refused(null, null)).isEqualTo("name content");
		assertThat(refused("a", base64(PNG + "x".repeat(Images.MAX_SIZE)))).isEqualTo("content");
	}

	private String refused(String name, String content) {
		return assertThatExceptionOfType(Refused.class)
			.isThrownBy(() -> await(this.images.upload(this.scope, name, content)))
			.actual()
			.details()
			.stream()
			.map(Refusal.Detail::field)
			.collect(Collectors.joining(" "));
	}

	private Image upload(String name, String bytes) {
		return await(this.images.upload(this.scope, name, base64(bytes)));
	}

	private static Page.Request page() {
		return new Page.Request(1, 10, null, 0, false);
	}

	private static String base64(String bytes) {
		return Base64.getEncoder().encodeToString(bytes.getBytes(StandardCharsets.ISO_8859_1));
	}

}
