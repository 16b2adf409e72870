//! Colours as authors write them.

/// `#rrggbb` in sRGB (IEC 61966-2-1) to scene-linear Rec. 709, whose primaries are the same.
pub(crate) fn from_hex(text: &str) -> Option<[f32; 3]> {
    let digits = text
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let mut linear = [0.0; 3];
    for (index, channel) in linear.iter_mut().enumerate() {
        let encoded = f32::from(u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).ok()?) / 255.0;
        *channel = if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) };
    }
    Some(linear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_is_that_of_the_standard() {
        assert_eq!(from_hex("#000000"), Some([0.0; 3]));
        assert_eq!(from_hex("#FFFFFF"), Some([1.0; 3]));
        // Published values: 128/255 is 0.21586 linear, 10/255 lies in the straight part, 0.0030353.
        let [a, b, _] = from_hex("#800a00").unwrap();
        assert!((a - 0.215_86).abs() < 1e-5 && (b - 0.003_035_3).abs() < 1e-7, "{a} {b}");
    }

    #[test]
    fn anything_else_is_no_colour() {
        for text in ["", "#", "#12345", "#1234567", "#12345g", "#+1+1+1", "#é234", "red"] {
            assert_eq!(from_hex(text), None, "{text}");
        }
    }
}
